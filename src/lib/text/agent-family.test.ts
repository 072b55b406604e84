import { expect, test } from 'bun:test'

import { namedAgentFamily } from './agent-family.ts'

for (const [agent, family] of [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
  ['curl/8.5.0', 'curl'],
  ['rclone/v1.70.0', 'rclone'],
  ['', undefined],
  ['(someone)', undefined],
] as const)
  test(`"${agent.slice(0, 30)}" is ${family}`, () => {
    expect(namedAgentFamily(agent)).toBe(family)
  })
