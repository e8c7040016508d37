# SPDX-License-Identifier: GPL-2.0-only
# What the tests of Montecito on acrctl's command line share: registers in one line.

# registers: those of the JSON on stdout, in the order of the library
registers()
{
	json '[(.pmcs[]|"PMC\(.reg)=\(.value)"), "PMD" + ([.pmds[].reg|tostring]|join(",")),
		(.irange.ibrs // [] | .[]|"IBR\(.reg)=\(.value)"), (.drange.dbrs // [] | .[]|"DBR\(.reg)=\(.value)")]|join(" ")'
}
