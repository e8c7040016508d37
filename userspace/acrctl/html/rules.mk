# SPDX-License-Identifier: GPL-2.0-only
# Makes C of the page and its scripts; needs ROOT and BUILD.

HTML_DIR := $(ROOT)/userspace/acrctl/html
HTML_OUT := $(BUILD)/html
HTML_SRC := $(HTML_OUT)/page_text.c

$(HTML_SRC): $(HTML_DIR)/embed.sh $(wildcard $(HTML_DIR)/*.html $(HTML_DIR)/*.css $(HTML_DIR)/*.js)
	@mkdir -p $(@D)
	$< $(HTML_DIR) > $@.new && mv $@.new $@
