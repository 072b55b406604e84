import { committerEmail, parseCommitMessage, pushedZoneKey } from '../read/commit-text.ts'
import { runGit, streamGit } from '../objects/git-command.ts'
import { type LoggedCommit, LogParser, parseLog } from '../read/log-parser.ts'

/** The part of the history that is asked for: along first parents, up to `head`. */
export interface ZoneSpan {
  readonly zone: string
  /** The directory of the zone. */
  readonly directory: string
  readonly head: string
  /** The last commit before it, where one is known. */
  readonly after: string | undefined
  /** The first commit, where nothing comes before it. */
  readonly beginning: string | undefined
}

/** A commit that did something to a zone, as far as the zone is concerned. */
export interface ZoneStep {
  readonly commitId: string
  /** What it made of the zone; left out where the zone stayed as it was. */
  readonly change?: {
    /** `undefined` where it took the zone away. */
    readonly treeId: string | undefined
  }
  /** A commit of the zone's own repository that it takes up. */
  readonly pushedId: string | undefined
  readonly author: string
  readonly committer: string
  readonly seconds: number
  readonly subject: string
  readonly fileCount: number
  readonly isShared: boolean
}

/** As `logFormat`, with author and committer whole. */
const identFormat = '--format=%x02%H%x00%T%x00%P%x00%an <%ae> %ad%x00%cn <%ce> %cd%x00%ct%x00%B%x00'
const firstParents = ['log', '--first-parent', '--reverse', '--date=raw', '-z', identFormat]
const differences = [
  '--diff-merges=first-parent',
  '--full-diff',
  '--root',
  '-r',
  '-t',
  '--raw',
  '--no-renames',
  '--no-abbrev',
]
const directoryMode = '040000'

/** Reads what was done to a zone, oldest first, some at a time. */
export async function* zoneSteps(
  repository: string,
  span: ZoneSpan,
): AsyncGenerator<readonly ZoneStep[], void, undefined> {
  const unchanging = await pushesOf(repository, span)
  const changing = changes(repository, span)
  if (unchanging.size === 0) yield* changing
  else yield* inOrder(changing, { unchanging, order: await orderOf(repository, span) })
}

async function* changes(
  repository: string,
  span: ZoneSpan,
): AsyncGenerator<readonly ZoneStep[], void, undefined> {
  const parser = new LogParser()
  const args = [...firstParents, ...differences, ...rangeOf(span), '--', span.directory]
  for await (const chunk of streamGit(repository, args)) {
    const logged = parser.push(chunk)
    if (logged.length > 0) yield logged.map((commit) => stepOf(commit, span))
  }
  yield parser.end().map((commit) => stepOf(commit, span))
}

/** Those that were pushed to the zone's repository, by their ids; some of them may change nothing. */
async function pushesOf(
  repository: string,
  span: ZoneSpan,
): Promise<ReadonlyMap<string, LoggedCommit>> {
  const merges = ['--min-parents=2', `--grep=^${pushedZoneKey}: ${span.zone}$`]
  const output = await runGit(repository, [...firstParents, ...merges, ...rangeOf(span), '--'])
  const pushed = parseLog(output).filter((commit) => pushedIdOf(commit, span.zone) !== undefined)
  return new Map(pushed.map((commit) => [commit.id, commit]))
}

async function orderOf(repository: string, span: ZoneSpan): Promise<readonly string[]> {
  const output = await runGit(repository, [
    'rev-list',
    '--first-parent',
    '--reverse',
    ...rangeOf(span),
    '--',
  ])
  return output.toString('latin1').split('\n').filter(Boolean)
}

interface Order {
  readonly unchanging: ReadonlyMap<string, LoggedCommit>
  readonly order: readonly string[]
}

/** Those that change the zone come as steps; those that do not are put between them. */
async function* inOrder(
  changing: AsyncIterable<readonly ZoneStep[]>,
  { unchanging, order }: Order,
): AsyncGenerator<readonly ZoneStep[], void, undefined> {
  let place = 0
  const until = (commitId: string | undefined): ZoneStep[] => {
    const steps: ZoneStep[] = []
    for (; place < order.length && order[place] !== commitId; place += 1) {
      const pushed = unchanging.get(order[place]!)
      if (pushed !== undefined) steps.push(unchangingStep(pushed))
    }
    place += 1
    return steps
  }
  for await (const steps of changing) yield steps.flatMap((step) => [...until(step.commitId), step])
  yield until(undefined)
}

const rangeOf = ({ head, after, beginning }: ZoneSpan): readonly string[] => {
  if (after !== undefined) return ['--end-of-options', `${after}..${head}`]
  // All parents of it and what is behind them (gitrevisions): a first commit has none.
  return ['--end-of-options', head, ...(beginning === undefined ? [] : [`^${beginning}^@`])]
}

/** Only what this service has committed says it: messages are copied. */
function pushedIdOf(
  { message, parentIds, committer }: LoggedCommit,
  zone: string,
): string | undefined {
  if (!committer.includes(` <${committerEmail}> `)) return undefined
  const paragraphs = message.trim().split(/\n{2,}/u)
  const trailers = paragraphs.length > 1 ? (paragraphs.at(-1)?.split('\n') ?? []) : []
  return trailers.includes(`${pushedZoneKey}: ${zone}`) ? parentIds[1] : undefined
}

const unchangingStep = (logged: LoggedCommit): ZoneStep => ({
  ...saidBy(logged),
  pushedId: logged.parentIds[1],
  fileCount: 0,
  isShared: false,
})

function stepOf(logged: LoggedCommit, { zone, directory }: ZoneSpan): ZoneStep {
  let treeId: string | undefined
  let fileCount = 0
  let isShared = false
  const inside = `${directory}/`
  for (const { path, newMode, oldMode, newId } of logged.differences) {
    const name = path.toString()
    if (name === directory) treeId = newMode === directoryMode ? newId : undefined
    else if (newMode === directoryMode || oldMode === directoryMode) continue
    else if (name.startsWith(inside)) fileCount += 1
    else isShared = true
  }
  const pushedId = pushedIdOf(logged, zone)
  return { ...saidBy(logged), change: { treeId }, pushedId, fileCount, isShared }
}

const saidBy = ({ id, author, committer, seconds, message }: LoggedCommit) => ({
  commitId: id,
  author,
  committer,
  seconds,
  subject: parseCommitMessage(message).subject,
})
