import { t } from '../language/text.ts'
const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/u, 'Edge'],
  [/\bOPR\/(\d+)/u, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/u, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/u, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.[\d.]*)? (?:Mobile\/\w+ )?Safari\//u, 'Safari'],
]

const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bWindows\b/u, 'Windows'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bMac OS X\b/u, 'macOS'],
  [/\bLinux\b/u, 'Linux'],
]

const maxLength = 500

/** `Firefox 142 on Windows`: what a browser says of itself, for people. */
export function agentName(userAgent: string | null): string {
  const text = userAgent?.slice(0, maxLength) ?? ''
  const browser = browsers.flatMap(([sign, name]) => {
    const version = sign.exec(text)?.[1]
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = systems.find(([sign]) => sign.test(text))?.[1]
  if (browser !== undefined)
    return system === undefined ? browser : t('{browser} on {system}', { browser, system })
  const program = /^[\w.-]{1,40}/u.exec(text)?.[0]
  return program ?? t('A program without a name')
}
