# SPDX-License-Identifier: GPL-2.0-only
# Chromium without a window and without network, as the tests of pages use it.
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

ARGUMENTS = ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
             "disable-component-update", "disable-sync", "hide-scrollbars"]


class Browser:
    def __init__(self, data_dir):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ARGUMENTS + ["user-data-dir=" + data_dir]:
            options.add_argument("--" + argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.errors = []

    def open(self, path, width=1280, scheme="light", motion="no-preference", scripts=True):
        """Loads a page and waits until its scripts have shown it."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                         {"name": "prefers-reduced-motion", "value": motion}])
        self.cdp("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.driver.get("file://" + path)
        if scripts:
            self.until(lambda: self.js("return document.documentElement.dataset.ready"), "the page is ready")

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def js(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def get(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def drag(self, element, begin, end):
        """From one place of an element to another, both as parts of its width."""
        width = element.size["width"]
        ActionChains(self.driver).move_to_element_with_offset(element, round((begin - .5) * width), 0).click_and_hold() \
            .move_to_element_with_offset(element, round((end - .5) * width), 0).release().perform()

    def until(self, true, what):
        for _ in range(300):
            if true():
                return
            time.sleep(.1)
        raise AssertionError("waited in vain until " + what)

    def take_errors(self):
        """What the console has had since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def quit(self):
        self.driver.quit()
