import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

import { expressionsIn, type WrittenExpression } from './support/expressions.ts'
import type { TimedExpression, Verdict } from './support/time-expressions.ts'

/** Put together while the service runs, and never met by text from outside. */
const metByOurTextAlone: Readonly<Record<string, string>> = {
  'src/cli/operator/completion-scripts.ts': 'reads how our own commands are used',
  'src/planes/site/highlight.ts':
    'reads the pages of our own documentation, when the service starts',
}

/** Longer than all texts take, beside whatever else runs; it ends what does not end. */
const allowedMs = 20_000
const child = fileURLToPath(new URL('support/time-expressions.ts', import.meta.url))

/** Times expressions in a child, one after the other. */
class Timer implements AsyncDisposable {
  #answer: (verdict: Verdict | undefined) => void = () => {}
  #child = this.#start()

  #start() {
    const started = Bun.spawn([process.execPath, child], {
      ipc: (verdict: Verdict) => this.#answer(verdict),
      stdio: ['ignore', 'ignore', 'inherit'],
      onExit: () => {
        if (started === this.#child) this.#answer(undefined)
      },
    })
    return started
  }

  /** `undefined` where the expression did not come to an end. */
  async verdictOf(expression: TimedExpression): Promise<Verdict | undefined> {
    const { promise, resolve } = Promise.withResolvers<Verdict | undefined>()
    this.#answer = resolve
    const timeout = setTimeout(() => this.#child.kill('SIGKILL'), allowedMs)
    this.#child.send(expression)
    const verdict = await promise
    clearTimeout(timeout)
    if (verdict === undefined) this.#child = this.#start()
    return verdict
  }

  async [Symbol.asyncDispose]() {
    this.#answer = () => {}
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }
}

const saidOf = (verdict: Verdict | undefined): string =>
  verdict === undefined ? 'does not end' : JSON.stringify(verdict.slow ?? 'linear')

test('every expression takes about as long for a character, however long and hostile the text', async () => {
  const placesByExpression = Map.groupBy(await expressionsIn(['src', 'web']), ({ source, flags }) =>
    JSON.stringify({ source, flags }),
  )
  expect(placesByExpression.size).toBeGreaterThan(250)
  await using timer = new Timer()
  const faults: string[] = []
  for (const [expression, written] of placesByExpression) {
    const { source, flags } = written[0]!
    if (source === undefined) continue
    const verdict = await timer.verdictOf({ source, flags })
    if (verdict === undefined || verdict.slow)
      faults.push(
        `${written.map(({ place }) => place).join(', ')} ${expression} ${saidOf(verdict)}`,
      )
  }
  expect(faults).toEqual([])
}, 120_000)

test('what cannot be timed reads nothing from outside', async () => {
  const written = await expressionsIn(['src', 'web'])
  const fileOf = ({ place }: WrittenExpression): string => place.slice(0, place.lastIndexOf(':'))
  const untimed = written.filter(({ source }) => source === undefined).map(fileOf)
  expect([...new Set(untimed)].sort()).toEqual(Object.keys(metByOurTextAlone).sort())
})

test.each([
  ['blanks that two repetitions may take', String.raw`\b\d+\s*(?:px)?\s*wide`, 'u'],
  ['a run that is begun anew at each of its characters', String.raw`[^\s]*\/v1\/\S`, 'u'],
  ['a run at the end', String.raw`\/+$`, 'u'],
  ['one of two runs at the ends', '^-+|-+$', 'gu'],
  ['an ending that may begin anywhere', String.raw`^what is (.+?)\W*$`, 'iu'],
  ['blanks around a comma', String.raw`\s*,\s*`, 'gu'],
  ['comments that can be told apart in many ways', '^(?:<!--[^]*?-->)*<svg', 'u'],
])(
  'found: %s',
  async (_, source, flags) => {
    await using timer = new Timer()
    expect(saidOf(await timer.verdictOf({ source, flags }))).not.toBe('"linear"')
  },
  60_000,
)

test.each([
  [String.raw`(?<!\/)\/+$`, 'u'],
  [String.raw`\p{L}+|\p{N}+`, 'gu'],
  [String.raw`^\W*(?:hi|hello)(?: there)?\W*$`, 'iu'],
])('let be: %s', async (source, flags) => {
  await using timer = new Timer()
  expect(saidOf(await timer.verdictOf({ source, flags }))).toBe('"linear"')
})
