import type { Client } from '../../../client/types.ts'
import { UsageError } from '../../support/command.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'
import { table } from '../../support/table.ts'
import { cleanPath } from '../remote-files.ts'

type Patch = NonNullable<Parameters<Client['describeAsset']>[0]['body']>
type Known = Awaited<ReturnType<Client['getAssetMetadata']>>

const plainOptions = {
  title: 'Title',
  description: 'Description',
  copyright: 'Copyright',
  licence: 'Licence',
  expires: 'Expires',
} as const

const memberByName: Readonly<Record<string, keyof Patch>> = {
  ...plainOptions,
  alt: 'Alt',
  tags: 'Tags',
  custom: 'Custom',
  'focal-point': 'FocalPoint',
}

export const describeCommand = serviceCommand({
  name: 'describe',
  summary: 'say what an asset is, or read it',
  usage: `sedge describe <path>
sedge describe <path> --title <text> --alt en=<text> --field season=summer …

Says what an asset is, in one commit, and prints all that is known of it with who
says so: a person, or the file itself. Without options it prints alone.

  --title <text>       its title
  --alt <lang>=<text>  what to read out for it, by language; may be said again
  --description <text> more of it
  --tag <tag>          its tags, in place of all it has; may be said again
  --copyright <text>   whose it is
  --licence <text>     what may be done with it
  --expires <when>     from then on it is gone, e.g. 2027-01-31T00:00:00Z
  --field <name>=<v>   a field of the zone's own; JSON, or else a text; may be said again
  --focal-point <x,y>  where the subject is, from 0 (left, top) to 1
  --clear <member>     take one back, one of:
    ${Object.keys(memberByName).join(', ')}
  --if-match <tag>     only where its MetadataETag is this
${commonUsage}

${commonExitCodes}`,
  options: {
    title: { type: 'string' },
    alt: { type: 'string', multiple: true, default: [] },
    description: { type: 'string' },
    tag: { type: 'string', multiple: true, default: [] },
    copyright: { type: 'string' },
    licence: { type: 'string' },
    expires: { type: 'string' },
    field: { type: 'string', multiple: true, default: [] },
    'focal-point': { type: 'string' },
    clear: { type: 'string', multiple: true, default: [] },
    'if-match': { type: 'string' },
  },
  plan({ values, positionals: [text, ...rest] }) {
    if (text === undefined || rest.length > 0) throw new UsageError('Name one path')
    const path = cleanPath(text)
    const patch = patchOf(values)
    const match = values['if-match']
    return async (session) => {
      const { client } = session
      const isRead = Object.keys(patch).length === 0
      const known = isRead
        ? await client.getAssetMetadata({ path })
        : await client.describeAsset({
            path,
            body: patch,
            ...(match !== undefined && { headers: { 'If-Match': match } }),
          })
      printKnown(known, session)
    }
  },
})

interface Values {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly copyright?: string | undefined
  readonly licence?: string | undefined
  readonly expires?: string | undefined
  readonly alt: readonly string[]
  readonly tag: readonly string[]
  readonly field: readonly string[]
  readonly clear: readonly string[]
  readonly 'focal-point'?: string | undefined
}

function patchOf(values: Values): Patch {
  const plain = Object.entries(plainOptions).flatMap(([option, member]) => {
    const value = values[option as keyof typeof plainOptions]
    return value === undefined ? [] : [[member, value] as const]
  })
  const { alt, tag, field, clear } = values
  return {
    ...Object.fromEntries(clear.map((name) => [memberOf(name), null])),
    ...Object.fromEntries(plain),
    ...(alt.length > 0 && { Alt: Object.fromEntries(alt.map((each) => pairOf(each, 'alt'))) }),
    ...(tag.length > 0 && { Tags: [...tag] }),
    ...(field.length > 0 && { Custom: Object.fromEntries(field.map(fieldOf)) }),
    ...(values['focal-point'] !== undefined && { FocalPoint: pointOf(values['focal-point']) }),
  }
}

function memberOf(name: string): keyof Patch {
  const member = Object.hasOwn(memberByName, name) ? memberByName[name] : undefined
  if (member === undefined)
    throw new UsageError(`--clear takes one of ${Object.keys(memberByName).join(', ')}`)
  return member
}

function pairOf(text: string, option: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--${option} takes a name, = and a value`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** What reads as JSON is that; all else is a text, and so needs no quotes. */
function fieldOf(text: string): readonly [string, unknown] {
  const [name, value] = pairOf(text, 'field')
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}

function pointOf(text: string): { readonly x: number; readonly y: number } {
  const [x = Number.NaN, y = Number.NaN] = text.split(',').map(Number)
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
    throw new UsageError('--focal-point takes two numbers from 0 to 1, e.g. 0.5,0.3')
  return { x, y }
}

function printKnown({ Path, Metadata, MetadataSources, MetadataETag }: Known, session: Session) {
  session.print({ Path, Metadata, MetadataSources, MetadataETag }, () => {
    const rows = Object.entries(Metadata).flatMap(([name, value]) => {
      const text = textOf(value)
      return text === '' ? [] : [[name, MetadataSources[name] ?? '', text]]
    })
    return rows.length === 0 ? 'Nothing is known of it\n' : table(['', 'SAID BY', ''], rows)
  })
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join(', ')
  return Object.entries(value)
    .map(([name, each]) => `${name}=${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join('; ')
}
