# SPDX-License-Identifier: GPL-2.0-only
# Opens a page of acrctl report --html in Chromium, and prints as JSON what is in it: at first, and with all rows, by task.
# usage: elements.py PAGE DIR    DIR: for Chromium's files
import json
import os
import sys

from browser import Browser

browser = Browser(os.path.abspath(sys.argv[2]))
try:
    browser.open(os.path.abspath(sys.argv[1]))
    elements = lambda: browser.js("return document.querySelectorAll('*').length")
    found = {"first": elements(), "shown": browser.get("#shown").text}
    browser.js("for (let i = 0; i < 20; i++) document.getElementById('more').click()")
    browser.get("input[value=task]").click()
    found.update(all=elements(), rows=len(browser.all("#symbols tbody tr")), lanes=len(browser.all("#lane-names button")),
                 fault=browser.js("return document.getElementById('fault').textContent"), errors=browser.take_errors())
finally:
    browser.quit()
print(json.dumps(found))
