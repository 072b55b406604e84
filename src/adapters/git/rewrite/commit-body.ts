import { formerHeader } from './former-commits.ts'

/** What of a commit is another. */
export interface CommitChange {
  /** The id that it had. */
  readonly formerId: string
  readonly treeId: string
  readonly newIdOf: (parentId: string) => string
}

export interface CommitHead {
  readonly treeId: string
  readonly parentIds: readonly string[]
  /** When it was put into the repository, in Unix seconds. */
  readonly seconds: number
}

const newline = 0x0a
/** They are about the commit as it was, and would not fit what it is. */
const signatures: ReadonlySet<string> = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])

/** The headers of a commit object, each whole with the lines that go on with it; and its message. */
function partsOf(body: Buffer): { headers: string[]; message: Buffer } {
  const end = body.indexOf('\n\n')
  const headers: string[] = []
  // Latin-1 keeps every byte as it is.
  for (const line of body.toString('latin1', 0, end < 0 ? body.length : end).split('\n'))
    if (line.startsWith(' ') && headers.length > 0) headers.push(`${headers.pop()}\n${line}`)
    else if (line !== '') headers.push(line)
  return { headers, message: end < 0 ? Buffer.from([newline]) : body.subarray(end + 1) }
}

export function readCommitHead(body: Buffer): CommitHead {
  const { headers } = partsOf(body)
  const valuesOf = (name: string) =>
    headers.flatMap((line) => (line.startsWith(`${name} `) ? line.slice(name.length + 1) : []))
  const [seconds = '0'] = (valuesOf('committer')[0] ?? '').split(' ').slice(-2)
  return {
    treeId: valuesOf('tree')[0] ?? '',
    parentIds: valuesOf('parent'),
    seconds: Number(seconds),
  }
}

/** The commit with another tree and other parents, which says what its id was. Of the rest nothing changes. */
export function rewrittenCommit(body: Buffer, change: CommitChange): Buffer {
  const { headers, message } = partsOf(body)
  const kept = headers
    .filter((line) => !signatures.has(line.slice(0, line.indexOf(' '))))
    .map((line) => {
      if (line.startsWith('tree ')) return `tree ${change.treeId}`
      return line.startsWith('parent ') ? `parent ${change.newIdOf(line.slice(7))}` : line
    })
  const text = [...kept, `${formerHeader} ${change.formerId}`].join('\n')
  return Buffer.concat([Buffer.from(`${text}\n`, 'latin1'), message])
}

/** A tag object that points to what its target is now; it is signed no more. */
export function rewrittenTag(body: Buffer, newIdOf: (id: string) => string): Buffer {
  const text = body.toString('latin1').replace(/-----BEGIN [^]*$/u, '')
  return Buffer.from(
    text.replace(/^object ([0-9a-f]{40})/u, (_, id: string) => `object ${newIdOf(id)}`),
    'latin1',
  )
}
