import { expect, test } from 'bun:test'

import { Secret } from '../lib/secrets/secret.ts'
import { createTalk } from './console-messages.ts'

const start = new Date('2026-11-22T12:00:00Z')

function talk(isTerminal: boolean, config = {}) {
  let text = ''
  let now = start
  const spoken = createTalk({
    config: {
      baseUrl: undefined,
      dashboardHost: undefined,
      clusterAddress: undefined,
      dataDirectory: '/srv/sedge',
      ...config,
    },
    isTerminal,
    write: (more) => void (text += more),
    now: () => now,
  })
  spoken.keysMade(new Map([['ACCESS_KEY', new Secret('abc')]]))
  spoken.ready({ url: new URL('http://127.0.0.1:8788/'), plainUrl: undefined })
  spoken.stopping()
  return { ...spoken, text: () => text, wait: (ms: number) => (now = new Date(+now + ms)) }
}

test('programs get lines to read, and no link that signs in', () => {
  const { text, signInLinks, onAnswered } = talk(false)

  expect(text()).toBe(
    'Generated keys, shown this once and kept in keys.json in the data directory:\n\n  ACCESS_KEY=abc\n\n' +
      'Sedge is ready at http://127.0.0.1:8788/\nSedge is stopping\n',
  )
  expect([signInLinks, onAnswered]).toEqual([undefined, undefined])
})

test('a person gets the dashboard where passkeys work, a link that is good once, and no key', () => {
  const { text, signInLinks } = talk(true)

  expect(text()).not.toContain('abc')
  expect(text()).toContain('Dashboard  http://localhost:8788/dashboard/\n')
  expect(text()).toContain('npx sedge keys show DASHBOARD_PASSWORD')
  expect(text()).toContain('/srv/sedge')
  expect(text()).toContain('Ctrl-C')
  const [, once = ''] =
    /http:\/\/localhost:8788\/dashboard\/login\?once=(\S+)\n/u.exec(text()) ?? []
  expect([signInLinks?.spend(once), signInLinks?.spend(once)]).toEqual([true, false])
})

test('the link is good for ten minutes, at the address that the dashboard has', () => {
  const { text, signInLinks, wait } = talk(true, {
    baseUrl: 'https://cdn.example',
    dashboardHost: 'dash.example',
  })
  const [, once = ''] = /https:\/\/dash\.example\/dashboard\/login\?once=(\S+)/u.exec(text()) ?? []

  wait(600_000)
  expect(once).not.toBe('')
  expect(signInLinks?.spend(once)).toBe(false)
})

test('a node of a cluster shows no link, which only one of them would know', () => {
  const { text, signInLinks } = talk(true, { clusterAddress: 'http://10.0.0.1:8788' })

  expect(text()).not.toContain('once=')
  expect(signInLinks).toBeUndefined()
})
