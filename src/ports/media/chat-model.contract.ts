import { expect, test } from 'bun:test'

import { type ChatModel, ChatModelUnavailableError } from './chat-model.ts'

/** A model that says `pieces`, and then fails or ends. */
interface Setting {
  readonly pieces: readonly string[]
  readonly fails: boolean
}

type Open = (setting: Setting) => Promise<{ readonly model: ChatModel } & AsyncDisposable>

const question = [{ role: 'user', content: 'How are you?' }] as const

async function heard(model: ChatModel, signal = new AbortController().signal) {
  const pieces: string[] = []
  try {
    for await (const piece of model.reply(question, signal)) pieces.push(piece)
    return { pieces, fault: undefined }
  } catch (fault) {
    return { pieces, fault }
  }
}

/** What every ChatModel must do. The test of each adapter calls this once. */
export function chatModelContract(name: string, open: Open): void {
  test(`${name}: a response comes in pieces and ends`, async () => {
    const pieces = ['I am ', 'well — ', 'très bien ⚙️', '\n', 'data: [x]\n\n']
    await using opened = await open({ pieces, fails: false })

    expect((await heard(opened.model)).pieces.join('')).toBe(pieces.join(''))
    expect((await heard(opened.model)).fault).toBeUndefined()
  })

  test(`${name}: a fault is told as one, before the first piece and after`, async () => {
    for (const pieces of [[], ['I am ']]) {
      await using opened = await open({ pieces, fails: true })
      const found = await heard(opened.model)

      expect(found.pieces).toEqual(pieces)
      expect(found.fault).toBeInstanceOf(ChatModelUnavailableError)
    }
  })

  test(`${name}: what is not wanted any more ends`, async () => {
    await using opened = await open({ pieces: ['a', 'b'], fails: false })
    const leaving = new AbortController()
    leaving.abort()

    expect((await heard(opened.model, leaving.signal)).fault).toBeInstanceOf(
      ChatModelUnavailableError,
    )
  })
}
