#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks JSON output against its schema in Documentation/schemas, and that the schema would refuse any other form.

usage: check_schema.py [--lines] NAME FILE    the output of a command; with --lines each line is an object of its own
       check_schema.py --form NAME            the schema itself: strict, described, and of that name

Of each kind of place in the output, one value is replaced by one of another type, each member that is always there is
removed, and an unknown one is added. The schema must refuse every one of these.
"""
import copy
import json
import os
import sys

import jsonschema

SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Documentation/schemas")


def unique(pairs):
    keys = [key for key, value in pairs]
    assert len(set(keys)) == len(keys), "a member is there twice: %s" % keys
    return dict(pairs)


def load(text):
    return json.loads(text, object_pairs_hook=unique)


def schema_of(name):
    with open(os.path.join(SCHEMAS, name + ".json")) as f:
        schema = load(f.read())
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def error_of(validator, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return error and "%s: %s" % (error.json_path, error.message)


def places(value, path=(), kind=()):
    """All values of a document: the path to each, and the same without the numbers of elements."""
    yield path, kind
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in members:
        yield from places(below, path + (key,), kind + (key if isinstance(value, dict) else "*",))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def changed(document, path, change):
    """A copy of the document in which change(parent, key) was done to the value at a path."""
    document = copy.deepcopy(document)
    change(at(document, path[:-1]), path[-1])
    return document


def replace(parent, key):
    # neither of the types of any member
    parent[key] = {"of another": "type"}


def optional_members(schema):
    """Names of members that some object of the schema need not have."""
    names = set()
    for part in objects(schema):
        names |= set(part["properties"]) - set(part["required"])
    return names


def objects(schema):
    """The schemas of objects in a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def mutations(document, optional):
    seen = set()
    for path, kind in places(document):
        value = at(document, path)
        if kind in seen:
            continue
        seen.add(kind)
        where = "/".join(str(key) for key in path) or "the root"
        if path:
            yield "%s of another type" % where, changed(document, path, replace)
        if isinstance(value, dict):
            yield "an unknown member in %s" % where, changed(
                document, path + ("unknown",), lambda parent, key: parent.update({key: 1}))
        if path and isinstance(path[-1], str) and path[-1] not in optional:
            yield "%s missing" % where, changed(document, path, lambda parent, key: parent.pop(key))


def check_document(name, schema, document):
    validator = jsonschema.Draft202012Validator(schema)
    error = error_of(validator, document)
    assert not error, "%s does not have its form: %s" % (name, error)
    assert next(iter(document)) == "schema", "the schema is not the first member"
    for what, other in mutations(document, optional_members(schema)):
        assert not validator.is_valid(other), "the schema of %s accepts %s" % (name, what)
    other = dict(document, schema=document["schema"] + "0")
    assert not validator.is_valid(other), "the schema of %s accepts another version" % name


def check_form(name, schema):
    text = json.dumps(schema)
    assert '"acrctl-%s/' % name in text, "%s does not name itself" % name
    assert schema.get("title"), "%s has no title" % name
    found = list(objects(schema))
    assert found, "%s describes no object" % name
    for part in found:
        where = "%s: %s" % (name, ", ".join(part.get("properties", {})))
        assert part.get("additionalProperties") is False, "%s: other members are accepted" % where
        for member, form in part["properties"].items():
            description = form.get("description", "")
            assert description.endswith("."), "%s: no description of '%s'" % (where, member)
            assert (member in part["required"]) != description.startswith("Only "), \
                "%s: '%s' must be required, or its description begins with 'Only'" % (where, member)


def main(arguments):
    lines = "--lines" in arguments
    form = "--form" in arguments
    name, *files = [a for a in arguments if not a.startswith("--")]
    schema = schema_of(name)
    if form:
        check_form(name, schema)
        return
    with open(files[0]) as f:
        text = f.read()
    documents = [load(part) for part in (text.splitlines() if lines else [text])]
    assert documents, "%s is empty" % files[0]
    for document in documents:
        check_document(name, schema, document)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except AssertionError as e:
        sys.exit("check_schema.py: %s" % e)
