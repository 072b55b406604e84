import { join } from 'node:path'

import { IncomingPackFile } from '../../../src/adapters/git/receive/incoming-pack.ts'
import { ServiceError } from '../../../src/domain/errors.ts'
import { PacketReader } from '../../../src/planes/git/push/packet-reader.ts'
import { readPushRequest } from '../../../src/planes/git/push/push-request.ts'
import { UnfitPackError } from '../../../src/ports/pushes/push-receiver.ts'
import { temporaryDirectory } from '../../support/service-process.ts'
import { type FuzzTarget, type Input, inPieces, inputOf, outcomeOf } from '../fuzz-target.ts'

/**
 * What a push sends: its commands, then a pack, of which the head is read before stock git sees it, in a box.
 * What is read does not depend on how it comes.
 */
export const packs: FuzzTarget = {
  name: 'packs',
  seeds: async () => [inputOf(commands), Buffer.concat([inputOf(commands), emptyPack])],
  words: [
    '0000',
    '0001',
    '0004',
    'fff0',
    'ffff',
    '0000PACK\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0001',
    'PACK',
    'refs/heads/main',
    'refs/heads/',
    '\u0000',
    ' report-status push-options',
    'shallow ',
    '0'.repeat(40),
    '\n',
  ],
  look: (input) => inPieces(input, read),
}

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text
const commands = `${line(
  `${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/main\0 report-status push-options\n`,
)}0000${line('preview=spring')}0000`
const emptyPack = Buffer.from(
  '5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e',
  'hex',
)

const limits = { maxBytes: 100_000, maxObjects: 1000 }

const read = (pieces: AsyncIterable<Input>): Promise<string> =>
  outcomeOf(async () => {
    const packets = new PacketReader(pieces)
    const request = await readPushRequest(packets)
    if (request === undefined) return 'nothing'
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'pack')
    await using pack = await IncomingPackFile.store(path, packets.rest(), limits)
    const { commands: asked, options, capabilities } = request
    return `${asked.length} commands, ${options.length} options, ${capabilities.size} capabilities, ${pack.sizeBytes > 0}`
  }, isRefusal)

const isRefusal = (thrown: unknown): thrown is Error =>
  thrown instanceof UnfitPackError ||
  (thrown instanceof ServiceError && thrown.code === 'InvalidParameter')
