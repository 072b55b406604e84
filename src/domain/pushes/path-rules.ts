import type {
  PushedCommit,
  PushedContent,
  PushedDifference,
} from '../../ports/pushes/push-receiver.ts'
import { parseAssetPath, placeholderName, zoneOf } from '../content/asset-path.ts'
import { faultOfFields, maxFieldsBytes } from '../content/metadata/field-schema.ts'
import { maxSidecarBytes, parseSidecar, SidecarError } from '../content/metadata/sidecar.ts'
import {
  corsPath,
  describedBy,
  fieldsPath,
  ownRuleFileAt,
} from '../content/metadata/sidecar-paths.ts'
import type { RuleFiles, RuleText } from '../content/rule-files.ts'
import { parseZoneSettings, zoneSettingsPath } from '../content/zone-settings.ts'
import { ServiceError } from '../errors.ts'
import { type Place, placeOf } from '../publishing/translation/place-of.ts'
import { faultOfAttributes, isAttributes } from './attribute-lines.ts'
import { type Pusher, reachesPath } from './pusher.ts'

export interface PathRuleSettings {
  /** As for a file that `PUT` stores. */
  readonly maxFileBytes: number
  /** For a file whose bytes its commit only names. */
  readonly maxOutsideBytes: number
  readonly checkRules: RuleFiles['check']
}

interface Judged extends PathRuleSettings {
  readonly pusher: Pusher
  readonly commit: Pick<PushedCommit, 'before'>
  /** Fails where the zone takes no writes, as of before the commit. */
  readonly requireWritableZone: (zone: string) => Promise<void>
}

/** No settings file and no rules that say anything are longer. */
const maxSettingsBytes = 2 ** 20

/** Why a path of a pushed commit cannot be taken; `undefined` where a write could have done the same. */
export async function refusalOf(
  difference: PushedDifference,
  judged: Judged,
): Promise<string | undefined> {
  const { path, after } = difference
  if (!reachesPath(judged.pusher, path)) return 'the token is for other zones'
  if (isAttributes(path)) return after && faultOfAttributes(await shortBytes(after))
  const place = placeOf(path)
  try {
    return await refusalAt(place, difference, judged)
  } catch (error) {
    // The path is named beside it.
    if (error instanceof ServiceError) return error.message.replace(/^path /u, '')
    if (error instanceof SidecarError) return error.message
    throw error
  }
}

async function refusalAt(
  place: Place,
  { path, after }: PushedDifference,
  judged: Judged,
): Promise<string | undefined> {
  if (place.kind === 'zone-settings') return await settingsFault(place.zone, after, judged)
  if (place.kind === 'rules') return await rulesFault({ file: place.name }, after, judged)
  if (place.kind === 'zone' || place.kind === 'other') return after && pathFault(path)
  await judged.requireWritableZone(place.kind === 'asset' ? zoneOf(place.path) : place.zone)
  if (place.kind === 'own') return await ownFault(path, { zone: place.zone, after }, judged)
  return after && fileFault(path, after, { ...judged, isAsset: place.kind === 'asset' })
}

const fileFault = (
  path: string,
  after: PushedContent,
  judged: Judged & { readonly isAsset: boolean },
): string | undefined => (judged.isAsset ? sizeFault(after, judged) : placeholderFault(path, after))

function sizeFault(
  { sizeBytes, outside }: PushedContent,
  { maxFileBytes, maxOutsideBytes }: Judged,
): string | undefined {
  const limit = outside === undefined ? maxFileBytes : maxOutsideBytes
  if (sizeBytes > limit)
    return outside === undefined
      ? `it has ${sizeBytes} bytes; over ${limit}, git lfs has to keep it`
      : `it has ${sizeBytes} bytes; ${limit} are possible`
  return outside?.isKept === false ? 'its bytes are not here: git lfs push them first' : undefined
}

/** Empty, or the one line feed that makes an object of a directory. */
function placeholderFault(path: string, { sizeBytes }: PushedContent): string | undefined {
  if (sizeBytes > 1) return `${placeholderName} is the service's own name, and empty`
  return pathFault(`${path}-`)
}

/** Why no asset can be there. */
function pathFault(path: string): string | undefined {
  const asset = parseAssetPath(path)
  return `clients/${asset}` === path ? undefined : 'it is not spelt as paths are (Unicode NFC)'
}

async function ownFault(
  path: string,
  { zone, after }: { readonly zone: string; readonly after: PushedContent | undefined },
  judged: Judged,
): Promise<string | undefined> {
  const file = ownRuleFileAt(zone, path)
  if (file !== undefined) return await rulesFault({ file, zone }, after, judged)
  if (describedBy(zone, path) !== undefined) return after && (await sidecarFault(after))
  const isFields = path === fieldsPath(zone)
  if (!isFields && path !== corsPath(zone)) return after && "it is the service's own"
  if (!judged.pusher.mayChangeZones) return 'the credential cannot change what zones are'
  return after && (await (isFields ? fieldsFault(after) : jsonFault(after)))
}

async function sidecarFault(content: PushedContent): Promise<string | undefined> {
  if (content.sizeBytes > maxSidecarBytes) return `it has over ${maxSidecarBytes} bytes`
  parseSidecar(await content.read())
  return undefined
}

async function fieldsFault(content: PushedContent): Promise<string | undefined> {
  if (content.sizeBytes > maxFieldsBytes) return `it has over ${maxFieldsBytes} bytes`
  return faultOfFields(textOf(await content.read()))
}

async function settingsFault(
  zone: string,
  after: PushedContent | undefined,
  { pusher, commit, requireWritableZone }: Judged,
): Promise<string | undefined> {
  if (!pusher.mayChangeZones) return 'the credential cannot change what zones are'
  const fault = after && (await jsonFault(after))
  if (fault !== undefined || pusher.zones === undefined) return fault
  await requireWritableZone(zone)
  const bytes = after && (await after.read())
  const before = parseZoneSettings(await commit.before.read(zoneSettingsPath(zone)))
  const isSame = parseZoneSettings(bytes).suspended === before.suspended
  return isSame ? undefined : 'a token for some zones neither suspends nor ends that'
}

async function rulesFault(
  { file, zone }: Pick<RuleText, 'file' | 'zone'>,
  after: PushedContent | undefined,
  { pusher, checkRules }: Judged,
): Promise<string | undefined> {
  if (!pusher.mayChangeRules) return 'the credential cannot change rules'
  if (after === undefined) return undefined
  if (after.sizeBytes > maxSettingsBytes) return `it has over ${maxSettingsBytes} bytes`
  try {
    checkRules({ file, zone, content: textOf(await after.read()) })
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const messages = error.details.map(({ message }) => String(message))
    return messages.length === 0 ? error.message : messages.slice(0, 3).join('; ')
  }
}

async function jsonFault(content: PushedContent): Promise<string | undefined> {
  if (content.sizeBytes > maxSettingsBytes) return `it has over ${maxSettingsBytes} bytes`
  try {
    const value: unknown = JSON.parse(textOf(await content.read()))
    return typeof value === 'object' && value !== null ? undefined : 'it is no JSON object'
  } catch {
    return 'it is no JSON'
  }
}

/** What is longer is not read: the first byte too many says enough. */
const shortBytes = async (content: PushedContent): Promise<Uint8Array> =>
  content.sizeBytes > maxSettingsBytes ? new Uint8Array(maxSettingsBytes) : await content.read()

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
