#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints how Documentation/netlink.yaml and uapi/acrpmu_netlink.h differ: names, numbers, attributes of messages."""
import re
import sys

import yaml


def enums_of_header(text):
    """enum name -> {constant: number}; constants that are #defines are in the enum ''."""
    enums = {"": {name: int(value, 0) for name, value in re.findall(r"^#define\s+(ACRPMU_\w+)\s+(0x[0-9a-f]+|\d+)$", text, re.M)}}
    for name, body in re.findall(r"^enum (\w+) \{\n(.*?)^\};", text, re.M | re.S):
        enums[name] = {}
        for constant, value in re.findall(r"(\w+)\s*=\s*([^,]+),", body):
            shift = re.fullmatch(r"1 << (\d+)", value)
            enums[name][constant] = 1 << int(shift[1]) if shift else int(value, 0)
    return enums


def constant(prefix, name):
    return (prefix + name).replace("-", "_").upper()


def numbered(items, prefix, first, flags=False):
    """The constants of a list of names, or of maps with a name and perhaps a value; others go on counting."""
    numbers, value = {}, first
    for item in items:
        item = {"name": item} if isinstance(item, str) else item
        value = item.get("value", value)
        numbers[constant(prefix, item["name"])] = 1 << value if flags else value
        value += 1
    return numbers


def enums_of_spec(spec):
    enums = {}
    for definition in spec["definitions"]:
        if definition["type"] != "const":
            enums[definition["enum-name"].replace("-", "_")] = numbered(
                definition["entries"], definition["name-prefix"], definition.get("value-start", 0), definition["type"] == "flags")
    for attributes in spec["attribute-sets"]:
        enums[attributes["enum-name"].replace("-", "_")] = numbered(attributes["attributes"], attributes["name-prefix"], 1)
    operations = spec["operations"]
    enums[operations["enum-name"].replace("-", "_")] = numbered(operations["list"], operations["name-prefix"], 1)
    return enums


def types_of_header(text):
    """attribute -> its type, as the comment of its enum begins."""
    return dict(re.findall(r"^ \* @(ACRPMU_NL_(?:A|EV|PL|CN)_\w+): (u32|u64|string|binary|nest)\b", text, re.M))


def messages_of_header(text, names):
    """command -> attributes in the comment on it, of which `names` are known."""
    comment = re.search(r"/\*\*\n \* enum acrpmu_nl_cmd.*?\*/", text, re.S)[0]
    comment = re.sub(r"\n \*\s+", " ", comment)
    return {cmd: set(re.findall(r"\b[A-Z][A-Z_]+\b", what)) & names for cmd, what in
            re.findall(r"@ACRPMU_NL_CMD_(\w+): ((?:(?! @ACRPMU_NL_CMD_).)*)", comment)}


def messages_of_spec(operation):
    form = operation.get("event") or operation["do"]["reply"]
    return {name.replace("-", "_").upper() for name in form["attributes"]}


def compare(spec, text):
    header, ours = enums_of_header(text), enums_of_spec(spec)
    defines = header.pop("")
    for name in sorted(header.keys() | ours.keys()):
        if header.get(name) != ours.get(name):
            yield f"enum {name}: header {header.get(name)}, spec {ours.get(name)}"
    for attributes in spec["attribute-sets"]:
        most = constant(attributes["name-prefix"], "max")
        if defines[most] != len(attributes["attributes"]):
            yield f"{most} is {defines[most]}, spec has {len(attributes['attributes'])} attributes"
    for name, value in (("ACRPMU_NL_VERSION", spec["version"]), ("ACRPMU_NL_MAX_MESSAGE", spec["definitions"][-1]["value"])):
        if defines[name] != value:
            yield f"{name} is {defines[name]}, in the spec {value}"
    if f'ACRPMU_NL_FAMILY\t"{spec["name"]}"' not in text:
        yield "the family has another name"
    types = {constant(s["name-prefix"], a["name"]): a["type"] for s in spec["attribute-sets"] for a in s["attributes"]
             if a["type"] != "pad"}
    known = types_of_header(text)
    for name in sorted(types):
        # those of READ are described once, as a range
        if known.get(name, types[name]) != types[name]:
            yield f"{name}: header {known[name]}, spec {types[name]}"
    names = {name.removeprefix("ACRPMU_NL_A_") for name in types if name.startswith("ACRPMU_NL_A_")}
    described = messages_of_header(text, names)
    for operation in spec["operations"]["list"]:
        cmd = operation["name"].replace("-", "_").upper()
        if cmd != "SESSION_GET" and described[cmd] != messages_of_spec(operation):
            yield f"{cmd}: header {sorted(described[cmd])}, spec {sorted(messages_of_spec(operation))}"


with open(sys.argv[1], encoding="utf-8") as spec_file, open(sys.argv[2], encoding="utf-8") as header_file:
    for difference in compare(yaml.safe_load(spec_file), header_file.read()):
        print(difference)
