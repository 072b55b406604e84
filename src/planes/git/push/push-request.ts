import { invalid } from '../../../domain/errors.ts'
import type { PacketReader } from './packet-reader.ts'

/** A ref, and what it is to be. */
export interface RefCommand {
  readonly ref: string
  /** `undefined` where there was none when they looked. */
  readonly formerId: string | undefined
  /** `undefined` where it is to go. */
  readonly newId: string | undefined
}

/** The head of a push, before its pack (gitprotocol-pack, "Reference Update Request"). */
export interface PushRequest {
  readonly commands: readonly RefCommand[]
  /** Whether there were more commands than any push may have; those that are too many are left out. */
  readonly isTooLong: boolean
  readonly capabilities: ReadonlySet<string>
  readonly options: readonly string[]
}

const maxCommands = 100
const maxOptions = 20
const noId = '0'.repeat(40)
/** Two ids and the name of a ref, as `git check-ref-format` lets them be. */
const commandPattern =
  /^(?<former>[0-9a-f]{40}) (?<next>[0-9a-f]{40}) (?<ref>refs\/[^\u0000-\u0020\u007f~^:?*[\\]{1,250})$/u

/** Throws `InvalidParameter` where it is none; `undefined` where the body has nothing in it, as git asks first. */
export async function readPushRequest(packets: PacketReader): Promise<PushRequest | undefined> {
  const lines: string[] = []
  let isTooLong = false
  for await (const line of linesOf(packets)) {
    isTooLong ||= lines.length === maxCommands
    if (!isTooLong && !/^shallow [0-9a-f]{40}$/u.test(line)) lines.push(line)
  }
  const [first] = lines
  if (first === undefined) return undefined
  // The first line says what is asked for besides.
  const said = first.split('\0')[1] ?? ''
  const capabilities = new Set(said.split(' ').filter((word) => word !== ''))
  const commands = lines.map((line) => commandOf(line.split('\0')[0] ?? ''))
  const options = capabilities.has('push-options') ? await readOptions(packets) : []
  return { commands, isTooLong, capabilities, options }
}

async function readOptions(packets: PacketReader): Promise<readonly string[]> {
  const options: string[] = []
  for await (const option of linesOf(packets)) {
    if (options.length === maxOptions)
      throw invalid('body', `must have at most ${maxOptions} push options`)
    options.push(option)
  }
  return options
}

/** The packets up to a flush. */
async function* linesOf(packets: PacketReader): AsyncGenerator<string, void, undefined> {
  for (let packet = await packets.next(); packet !== undefined; packet = await packets.next()) {
    if (packet === 'end') throw invalid('body', 'must be complete')
    yield packet.toString().replace(/\n$/u, '')
  }
}

const idOf = (text: string | undefined) => (text === noId ? undefined : text)

function commandOf(line: string): RefCommand {
  const { former, next, ref } = commandPattern.exec(line)?.groups ?? {}
  if (ref === undefined) throw invalid('body', 'must have commands as git send-pack writes them')
  return { ref, formerId: idOf(former), newId: idOf(next) }
}
