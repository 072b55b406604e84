import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { StillKind, StillOutcome, StillPlace } from '../../ports/media/still-maker.ts'
import { BoxedStillMaker } from './boxed-still-maker.ts'

type Made = Extract<StillOutcome, { readonly outcome: 'made' }>

/** A maker and a place for the files that it is tried with. */
export interface TryOut extends AsyncDisposable {
  readonly directory: string
  write(bytes: Uint8Array): Promise<string>
  make(of: StillKind, bytes: Uint8Array, at?: StillPlace): Promise<StillOutcome>
  /** The same where something is made; fails the test where nothing is. */
  made(of: StillKind, bytes: Uint8Array, at?: StillPlace): Promise<Made>
}

type Limits = Omit<ConstructorParameters<typeof BoxedStillMaker>[0], 'directory' | 'kinds'>

export async function openTryOut(
  kinds: readonly StillKind[],
  limits: Limits = {},
): Promise<TryOut> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-stills-'))
  const maker = new BoxedStillMaker({
    maxMs: 60_000,
    ...limits,
    directory: join(directory, 'work'),
    kinds,
  })
  let count = 0

  async function write(bytes: Uint8Array): Promise<string> {
    count += 1
    const path = join(directory, String(count))
    await writeFile(path, bytes)
    return path
  }

  async function make(of: StillKind, bytes: Uint8Array, at: StillPlace = {}) {
    const path = await write(bytes)
    return (await maker.make({ kind: 'still', path, of, at })).result
  }

  return {
    directory,
    write,
    make,
    async made(of, bytes, at) {
      const outcome = await make(of, bytes, at)
      if (outcome.outcome !== 'made') throw new Error(`Nothing was made: ${outcome.outcome}`)
      return outcome
    },
    async [Symbol.asyncDispose]() {
      await maker[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
