import { ServiceError } from '../../../errors.ts'
import { type AssetPath, categoryOf, encodePath } from '../../asset-path.ts'
import { readSource } from '../rule-url.ts'
import { isConditional, parseRedirects, type RedirectRule } from './parse-redirects.ts'

export interface MovedPath {
  readonly from: AssetPath
  readonly to: AssetPath
  readonly isDirectory: boolean
}

/** What a `_redirects` file may hold. */
export const maxRuleCharacters = 100_000

/**
 * A `_redirects` file with a 301 rule for each move, one for a directory with all that is below it. Rules
 * that would send visitors away from where something is now (`arrivals`), and former rules for what was
 * moved, go. What was never public gets none.
 */
export function withMoveRedirects(
  content: string,
  moves: readonly MovedPath[],
  arrivals: Iterable<AssetPath>,
): string {
  const open = moves.filter(
    ({ from, to }) => ![from, to].some((path) => categoryOf(path) === 'private'),
  )
  const sources = open.flatMap(sourcesOf)
  const outdated = new Set([...sources, ...moves.flatMap(({ to }) => sourcesOf(allBelow(to)))])
  for (const path of arrivals) for (const spelt of spellingsOf(path)) outdated.add(spelt)
  const kept = withoutRules(content, outdated)
  const files = open.filter(({ isDirectory }) => !isDirectory).flatMap(linesOf)
  const directories = open.filter(({ isDirectory }) => isDirectory).flatMap(linesOf)
  const lines = withDirectories([...files, ...kept], directories)
  const written = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  requireEffect(written, content)
  return written
}

/** Without the rules that moves left, which are taken back. The others stay as they are written. */
export function withoutMoveRedirects(
  content: string,
  moves: readonly Pick<MovedPath, 'from' | 'to'>[],
): string {
  const lines = new Set(
    moves.flatMap((move) =>
      [true, false].flatMap((isDirectory) => linesOf({ ...move, isDirectory })),
    ),
  )
  return content
    .split('\n')
    .filter((line) => !lines.has(line.trim()))
    .join('\n')
}

/** Clients write a name as browsers do or with all of it escaped; a rule looks at what they wrote. */
function spellingsOf(path: string): readonly string[] {
  const asBrowsersDo = path
    .split('/')
    .map((segment) => encodeURI(segment).replaceAll(/[?#]/gu, encodeURIComponent))
    .join('/')
  return [...new Set([encodePath(path), asBrowsersDo])].map((spelt) => `/${withoutCaptures(spelt)}`)
}

/** What would capture something in a rule is escaped. */
const withoutCaptures = (path: string): string => path.replaceAll('*', '%2A').replaceAll(':', '%3A')

const sourcesOf = ({ from, isDirectory }: MovedPath): readonly string[] =>
  spellingsOf(from).map((spelt) => (isDirectory ? `${spelt}/*` : spelt))

const allBelow = (path: AssetPath): MovedPath => ({ from: path, to: path, isDirectory: true })

function linesOf(move: MovedPath): readonly string[] {
  const target = `/${withoutCaptures(encodePath(move.to))}${move.isDirectory ? '/:splat' : ''}`
  return sourcesOf(move).map((source) => `${source} ${target} 301`)
}

function withoutRules(content: string, sources: ReadonlySet<string>): readonly string[] {
  const urls = new Set(Array.from(sources, urlOf))
  const dropped = new Set(
    parseRedirects(content)
      .rules.filter((rule) => isOutdated(rule, urls))
      .map(({ line }) => line),
  )
  const lines = content.split(/\r?\n/u)
  if (lines.at(-1) === '') lines.pop()
  return lines.filter((_, index) => !dropped.has(index + 1))
}

/** As it is read, so that a spelling is compared with what comes of it. */
const isOutdated = ({ pattern, code, conditions }: RedirectRule, sources: ReadonlySet<string>) =>
  code === 301 && !isConditional(conditions) && sources.has(pattern.source)

/** Before the first rule with a capture: those before it that have none are found at once. */
function withDirectories(
  lines: readonly string[],
  directories: readonly string[],
): readonly string[] {
  if (directories.length === 0) return lines
  const { rules } = parseRedirects(lines.join('\n'))
  const first = rules.find(({ isStatic }) => !isStatic)
  const place = first === undefined ? lines.length : first.line - 1
  return lines.toSpliced(place, 0, ...directories)
}

/** Neither a new rule nor one that was there may have no effect because of the others. */
function requireEffect(content: string, before: string): void {
  const isComplete = idleLines(content) <= idleLines(before)
  if (isComplete && content.length <= maxRuleCharacters) return
  throw new ServiceError(
    'LimitExceeded',
    '_redirects has no room for a rule of each move; remove some, or move without Redirect',
    { target: 'Redirect', context: { Limit: maxRuleCharacters } },
  )
}

const idleLines = (content: string): number => parseRedirects(content).diagnostics.length

const urlOf = (source: string): string => {
  const read = readSource(source)
  return 'url' in read ? read.url : source
}
