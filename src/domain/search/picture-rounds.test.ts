import { expect, test } from 'bun:test'

import { createPictureRounds } from './picture-rounds.ts'

interface Round {
  readonly asked: readonly string[]
}

/** Answers the rounds that were made until one leaves nothing open. */
async function roundsOf(answers: readonly (readonly string[])[]): Promise<readonly Round[]> {
  const rounds: Round[] = []
  const done = Promise.withResolvers<void>()
  const { add } = createPictureRounds({
    async describe(asked) {
      rounds.push({ asked })
      const unknown = answers[rounds.length - 1] ?? []
      if (unknown.length === 0) done.resolve()
      return unknown
    },
    onFault: (error) => done.reject(error),
    signal: new AbortController().signal,
    everyMs: 1,
  })
  add(['a', 'b'])
  await done.promise
  return rounds
}

test('what is not known of a picture is asked for again until it is', async () => {
  expect(await roundsOf([['a', 'b'], ['b'], []])).toEqual([
    { asked: ['a', 'b'] },
    { asked: ['a', 'b'] },
    { asked: ['b'] },
  ])
})

test('a picture that stays unknown is asked for a dozen times', async () => {
  const rounds: (readonly string[])[] = []
  const [twelfth, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { add } = createPictureRounds({
    async describe(asked) {
      rounds.push(asked)
      if (rounds.length === 12) twelfth.resolve()
      if (rounds.length === 13) last.resolve()
      return asked.filter((path) => path === 'a')
    },
    onFault: (error) => last.reject(error),
    signal: new AbortController().signal,
    everyMs: 1,
  })
  add(['a'])
  await twelfth.promise
  add(['b'])
  await last.promise

  expect(rounds.at(-2)).toEqual(['a'])
  expect(rounds.at(-1)).toEqual(['b'])
})
