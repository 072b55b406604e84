import {
  looksLikePointer,
  parsePointer,
  pointerText,
} from '../../../src/adapters/git/lfs/pointer.ts'
import { parseBatch } from '../../../src/adapters/git/lfs/remote/batch-protocol.ts'
import { type FuzzTarget, type Input, outcomeOf, promise, textOf } from '../fuzz-target.ts'

/** A pointer that is read is the very bytes that would be written; what a remote says of objects is read or refused. */
export const lfs: FuzzTarget = {
  name: 'lfs',
  words: [
    'version https://git-lfs.github.com/spec/v1\n',
    'oid sha256:',
    'size ',
    '\n',
    '\r\n',
    '0'.repeat(64),
    '{"objects":[',
    '"oid":"',
    '"size":1',
    '"actions":{"download":{"href":"https://example.org/a"}}',
    '"header":{',
    '"error":{"code":404,"message":"a"}',
    '"toString":1',
    '"__proto__":{',
    'null',
    '[]',
    '{}',
    '"transfer":"basic"',
  ],
  look: async (input) => `${pointerOf(input)}; ${await batchOf(input)}`,
}

function pointerOf(input: Input): string {
  const pointer = parsePointer(input)
  if (pointer === undefined) return 'no pointer'
  promise(pointerText(pointer).equals(input), 'it would be written otherwise')
  promise(looksLikePointer(input), 'it looks like none')
  return 'pointer'
}

const refs = [{ sha256: 'a'.repeat(64), sizeBytes: 5 }]

const batchOf = (input: Input): Promise<string> =>
  outcomeOf(() => {
    const [object] = parseBatch(textOf(input), refs)
    promise(object?.ref === refs[0], 'it is about another object')
    return `${object?.why?.replaceAll(/\d+/gu, '#').slice(0, 20)} ${object?.actions.size}`
  }, isRefusal)

/** Whatever it says, but for what only a mistake of ours throws. */
const isRefusal = (thrown: unknown): thrown is Error =>
  thrown instanceof SyntaxError || (thrown instanceof Error && thrown.constructor === Error)
