import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** What is there without windows asks for half of the processor that the whole browser does. */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** An installed Chromium, or `undefined`, having said how to get one. */
export function findChromium(what: string): string | undefined {
  const executable = candidates.find((path) => existsSync(path))
  if (executable === undefined)
    console.log(`skipped: ${what} needs Chromium (apt-get install chromium-headless-shell)`)
  return executable
}

/** Without sandbox, since tests may run as root, and without anything that looks for other hosts. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
      '--mute-audio',
    ],
  })
