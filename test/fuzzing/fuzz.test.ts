import { expect, test } from 'bun:test'

import { createRandom, seedOf } from '../support/random.ts'
import { corpusOf } from './corpus.ts'
import { fuzz, minimised, tried } from './fuzz.ts'
import { type FuzzTarget, inputOf, textOf } from './fuzz-target.ts'
import { fuzzTargets } from './targets.ts'

const milliseconds = 1500

for (const target of fuzzTargets) {
  test(`nothing that is kept is at fault, nor what is made of it: ${target.name}`, async () => {
    const random = createRandom(seedOf(`fuzz ${target.name}`))
    const corpus = await corpusOf(target)
    const endsAt = performance.now() + milliseconds
    const isOver = () => performance.now() > endsAt
    const { faults, inputs, outcomes } = await fuzz(target, { random, corpus, isOver })

    expect(faults.map(({ why, input }) => [why, textOf(input)])).toEqual([])
    expect(inputs).toBeGreaterThan(corpus.length)
    // What always comes to the same is not looked at.
    expect(outcomes).toBeGreaterThan(1)
  })

  test(`something of what is kept is read: ${target.name}`, async () => {
    const corpus = await corpusOf(target)
    const outcomes = await Promise.all(corpus.map((input) => tried(target, input)))
    const read = outcomes.filter(({ outcome }) => outcome?.startsWith('refused') === false)
    expect(read.length).toBeGreaterThan(0)
  })
}

test('a fault is found and brought down to what shows it', async () => {
  const target: FuzzTarget = {
    name: 'at fault',
    words: ['fault'],
    async look(input) {
      if (textOf(input).includes('fault')) throw new TypeError('it is at fault')
      return 'read'
    },
  }
  const corpus = [inputOf('something that is quite in order')]
  const isOver = (inputs: number) => inputs > 2000
  const { faults } = await fuzz(target, { random: createRandom(1), corpus, isOver })
  const [fault] = faults
  if (fault === undefined) throw new Error('no fault was found')

  expect(faults).toHaveLength(1)
  expect(textOf(await minimised(target, fault))).toBe('fault')
})
