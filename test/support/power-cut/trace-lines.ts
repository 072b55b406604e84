/** A system call as `strace -f -y -xx -ttt` wrote it down. */
export interface Call {
  readonly thread: number
  readonly name: string
  readonly parameters: readonly string[]
  readonly result: string
  /** Numbers of the lines that say it began and ended: what one thread told another is in order. */
  readonly begun: number
  readonly ended: number
}

export interface Trace {
  /** In the order in which they ended; those that failed are left out. */
  readonly calls: readonly Call[]
  /** When each line was written, in milliseconds since 1970. */
  readonly times: readonly number[]
}

interface Begun {
  readonly line: number
  readonly text: string
}

/** Calls that another thread's came between are written in two lines. */
export function readTrace(text: string): Trace {
  const begunByThread = new Map<number, Begun>()
  const calls: Call[] = []
  const times: number[] = []
  for (const [line, whole] of text.split('\n').entries()) {
    const [, thread = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/u.exec(whole) ?? []
    if (thread === '') continue
    times[line] = Number(time) * 1000
    if (rest.endsWith(unfinished))
      begunByThread.set(Number(thread), { line, text: rest.slice(0, -unfinished.length) })
    else {
      const { begun, text: joined } = wholeCall(
        { line, text: rest },
        begunByThread.get(Number(thread)),
      )
      const call = readCall(joined)
      if (call) calls.push({ ...call, thread: Number(thread), begun, ended: line })
    }
  }
  return { calls, times }
}

function wholeCall({ line, text }: Begun, before: Begun | undefined) {
  const resumed = /^<\.\.\. \w+ resumed>/u.exec(text)?.[0]
  if (resumed === undefined || !before) return { begun: line, text }
  return { begun: before.line, text: `${before.text}${text.slice(resumed.length)}` }
}

const unfinished = ' <unfinished ...>'

/** `undefined` for a call that failed, and for what is none. */
function readCall(text: string): Pick<Call, 'name' | 'parameters' | 'result'> | undefined {
  const end = text.lastIndexOf(' = ')
  const open = text.indexOf('(')
  const result = text.slice(end + 3)
  if (end < 0 || open < 0 || result.startsWith('-') || result.startsWith('?')) return undefined
  const inner = text.slice(open + 1, text.lastIndexOf(')', end))
  return { name: text.slice(0, open), parameters: splitParameters(inner), result }
}

/** Texts are all in hexadecimal, so a comma in one cannot be met; structures have theirs. */
function splitParameters(text: string): readonly string[] {
  if (!/[{[]/u.test(text)) return text.split(', ')
  const parameters: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: mark, index } of text.matchAll(/[{}[\]]|, /gu)) {
    if (mark === '{' || mark === '[') depth += 1
    else if (mark !== ', ') depth -= 1
    else if (depth === 0) {
      parameters.push(text.slice(from, index))
      from = index + mark.length
    }
  }
  return [...parameters, text.slice(from)]
}

/** Of `"\x61\x62"`. */
export function bytesOf(parameter: string): Buffer {
  const inner = parameter.slice(parameter.indexOf('"') + 1, parameter.lastIndexOf('"'))
  if (parameter.endsWith('...')) throw new Error('strace cut what was written: raise its -s')
  return Buffer.from(inner.replaceAll(String.raw`\x`, ''), 'hex')
}

export interface Descriptor {
  readonly number: number
  /** What it led to at that moment. */
  readonly path: string
}

/** Of `26<\x2f\x61>`; `undefined` where it is none, or leads to no file. */
export function descriptorOf(parameter: string): Descriptor | undefined {
  const { number, path } =
    /^(?<number>\d+|AT_FDCWD)<(?<path>(?:\\x[0-9a-f]{2})*)>/u.exec(parameter)?.groups ?? {}
  if (number === undefined || path === undefined) return undefined
  return { number: Number(number), path: bytesOf(`"${path}"`).toString() }
}
