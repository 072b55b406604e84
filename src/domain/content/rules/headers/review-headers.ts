import { isWithheldFromZones, withheldOnOwnHost } from './own-host-fields.ts'
import type { HeaderBlock } from './parse-headers.ts'
import { hostPrefix, type Pattern, referencesIn } from '../pattern.ts'
import { kindsIn, sanitisableKinds, sanitiseField } from './sanitise-rule.ts'
import { warning, type RuleDiagnostic } from '../rule-diagnostic.ts'

/** What in a `_headers` file works, but maybe not as its author thinks. */
export const reviewHeaders = (
  blocks: readonly HeaderBlock[],
  { zone, isOwnHost }: HeaderScope,
): readonly RuleDiagnostic[] => [
  ...replacedBlocks(blocks),
  ...blocks.flatMap(joinedFields),
  ...blocks.flatMap(unknownReferences),
  ...blocks.flatMap(unknownKinds),
  ...blocks
    .filter(({ pattern }) => isForOwnHost(pattern, isOwnHost))
    .flatMap((block) => withheldFields(block, zone)),
  ...(zone === undefined ? [] : blocks.filter((block) => isElsewhere(block, zone)).map(elsewhere)),
]

interface HeaderScope {
  /** Whose own the file is; left out, it is for all zones. */
  readonly zone?: string | undefined
  readonly isOwnHost: IsOwnHost
}

/** Paths of a zone's rules are below the zone, and its files below `/v1/` there. */
function isElsewhere({ pattern: { prefix, hasHost } }: HeaderBlock, zone: string): boolean {
  const paths = ['/v1/', `/${zone}/v1/`]
  return !hasHost && !paths.some((path) => path.startsWith(prefix) || prefix.startsWith(path))
}

const elsewhere = (block: HeaderBlock): RuleDiagnostic =>
  warning(block, 'is for no file: those of the zone are at /v1/…')

function replacedBlocks(blocks: readonly HeaderBlock[]): readonly RuleDiagnostic[] {
  const lastBySource = new Map(blocks.map((block) => [block.pattern.source, block]))
  return blocks.flatMap((block) => {
    const last = lastBySource.get(block.pattern.source)
    return last === undefined || last === block
      ? []
      : [warning(block, `is replaced whole by the block for the same path in line ${last.line}`)]
  })
}

/** A cookie that comes twice is sent as two lines; everything else becomes one value. */
const joinedFields = (block: HeaderBlock): readonly RuleDiagnostic[] =>
  [...block.set]
    .filter(([, values]) => values.length > 1)
    .map(([name, values]) =>
      warning(
        block,
        name === 'set-cookie'
          ? `sets ${values.length} cookies, which are sent as separate lines`
          : `sets ${name} ${values.length} times; the values are joined with a comma`,
      ),
    )

/** Only where the path captures something: elsewhere a colon is likely to be just a colon. */
function unknownReferences(block: HeaderBlock): readonly RuleDiagnostic[] {
  const { names } = block.pattern
  const referred = [...block.set.values()].flat().flatMap(referencesIn)
  return [...new Set(referred)]
    .filter((name) => name === 'splat' || names.size > 0)
    .filter((name) => ![...names].some((known) => name.startsWith(known)))
    .map((name) => warning(block, `uses :${name} in a value, but the path has no such placeholder`))
}

/** Whether a host name is one of the service's own, as far as that is known. */
export type IsOwnHost = (hostname: string) => boolean

/** A block that names a host may be for a zone's own, where everything counts. */
function isForOwnHost({ hasHost, source }: Pattern, isOwnHost: IsOwnHost): boolean {
  const hostname = source.slice(hostPrefix.length).split('/', 1)[0] ?? ''
  return !hasHost || isOwnHost(hostname)
}

const withheldFields = (block: HeaderBlock, zone: string | undefined): readonly RuleDiagnostic[] =>
  changesOf(block).flatMap(([name, value]) => {
    const isWithheld = zone !== undefined && value !== undefined && isWithheldFromZones(name)
    const what = isWithheld ? 'is not sent there' : withheldOnOwnHost(name, value)
    const which = block.pattern.hasHost ? 'a host name' : 'the host names'
    return what === undefined
      ? []
      : [
          warning(
            block,
            `is for ${which} of the service's own${block.pattern.hasHost ? '' : ' too'}, where the dashboard may be: ${name} ${what}, only on host names of zones`,
          ),
        ]
  })

const changesOf = ({ set, unset }: HeaderBlock): readonly [string, string | undefined][] => [
  ...[...set].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ...unset.map((name): [string, undefined] => [name, undefined]),
]

/** Whoever asks for something to be made safe should hear that it is not. */
const unknownKinds = (block: HeaderBlock): readonly RuleDiagnostic[] =>
  (block.set.get(sanitiseField) ?? [])
    .flatMap(kindsIn)
    .filter((kind) => !(sanitisableKinds as readonly string[]).includes(kind))
    .map((kind) => warning(block, `asks to sanitise "${kind}"; all that can be is svg`))
