import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { Put, Tree } from '../../ports/content/content-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { type Actor, requireAllZones, requireZone } from '../access/actor.ts'
import { ServiceError, zoneNotFound, zoneSuspended } from '../errors.ts'
import type { Committer } from './committer.ts'
import { placeholderName, standardDirectories } from './asset-path.ts'
import { isMarkerBlob } from './directory-marker.ts'
import { hasZone, ownDirectoryOf } from './metadata/sidecar-paths.ts'
import { requireWritableZone } from './write-guards.ts'
import { parseZoneName } from './zone-name.ts'
import {
  defaultZoneSettings,
  parseZoneSettings,
  serializeZoneSettings,
  zoneDirectory,
  type ZoneSettings,
  zoneSettingsPath,
} from './zone-settings.ts'

export interface CreatedZone {
  readonly zone: ZoneRecord
  readonly commitId: string
}

export interface RemovedZone {
  readonly commitId: string
  /** Files that were catalogued; placeholders do not count. */
  readonly filesRemoved: number
}

/** The tenants. Each is a directory `clients/<zone>/v1/` of the repository. */
export interface Zones {
  /** A bare one has no directories, and is there by its settings alone. */
  create(name: string, actor: Actor, options?: CreateOptions): Promise<CreatedZone>
  /** Changes what is given and leaves the rest. A narrowed actor neither suspends nor ends that. */
  update(name: string, settings: Partial<ZoneSettings>, actor: Actor): Promise<ZoneRecord>
  /** Refuses with `PathConflict` where it may go only if it has no object, and has one. */
  remove(name: string, actor: Actor, options?: RemoveOptions): Promise<RemovedZone>
}

interface CreateOptions {
  readonly isBare?: boolean
  /** What is not as by default. */
  readonly settings?: Partial<ZoneSettings>
}

interface RemoveOptions {
  readonly onlyIfEmpty?: boolean
}

interface Dependencies {
  readonly blobs: BlobStore
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
  /**
   * Stores what was counted and logged until now: under a name that is used again it is a former
   * zone's.
   */
  readonly settle: () => Promise<void>
}

export function createZones({ blobs, published, publisher, settle }: Dependencies): Zones {
  return {
    async create(text, actor, { isBare = false, settings } = {}) {
      requireAllZones(actor)
      const name = parseZoneName(text)
      const puts = await putsOf(name, { isBare, settings }, blobs)
      if (!published.zone(name)) await settle()
      const commit = await publisher.commit(
        { action: 'zone.create', target: name, subject: `Create zone ${name}`, actor },
        async (tree) => {
          if (await hasZone(tree, name))
            throw new ServiceError('ZoneExists', `Zone "${name}" already exists`, {
              target: 'Name',
            })
          const former = ownDirectoryOf(name)
          // What was known of the files of a former zone is not for this one.
          const isLeft = (await tree.find(former)) !== undefined
          return isLeft ? [{ kind: 'delete', path: former }, ...puts] : puts
        },
      )
      const zone = published.zone(name)
      // Somebody has removed it already.
      if (!commit || !zone) throw zoneNotFound(name)
      return { zone, commitId: commit.id }
    },

    async update(name, settings, actor) {
      requireZone(actor, name)
      await publisher.commit(
        {
          action: 'zone.update',
          target: name,
          subject: `Change zone ${name}: ${describe(settings)}`,
          actor,
          meta: { ...settings, before: formerOf(settings, published.zone(name)) },
        },
        (tree) => planSettings(tree, { name, settings, blobs, actor }),
      )
      const zone = published.zone(name)
      if (!zone) throw zoneNotFound(name)
      return zone
    },

    async remove(name, actor, { onlyIfEmpty = false } = {}) {
      requireZone(actor, name)
      let filesRemoved = 0
      const commit = await publisher.commit(
        { action: 'zone.delete', target: name, subject: `Delete zone ${name}`, actor },
        async (tree) => {
          const path = zoneDirectory(name)
          if (!(await hasZone(tree, name))) throw zoneNotFound(name)
          if (actor.zones !== undefined) await requireWritableZone(tree, name)
          if (onlyIfEmpty && (await hasObject(tree, `${path}/v1`)))
            throw new ServiceError('PathConflict', `Zone "${name}" is not empty`, {
              target: 'Name',
            })
          filesRemoved = await countFiles(tree, `${path}/v1`)
          return [{ kind: 'delete', path }]
        },
      )
      return { commitId: commit?.id ?? '', filesRemoved }
    },
  }
}

interface SettingsPlan {
  readonly name: string
  readonly settings: Partial<ZoneSettings>
  readonly blobs: BlobStore
  readonly actor: Actor
}

/** What changes the settings of a zone as a tree has them. */
export async function planSettings(tree: Tree, { name, settings, blobs, actor }: SettingsPlan) {
  if (!(await hasZone(tree, name))) throw zoneNotFound(name)
  const path = zoneSettingsPath(name)
  const current = parseZoneSettings(await tree.read(path))
  const next = { ...current, ...settings }
  if (isSame(next, current)) return undefined
  if (next.suspended !== current.suspended) requireAllZones(actor)
  if (actor.zones !== undefined && current.suspended) throw zoneSuspended(name)
  const put: Put = { kind: 'put', path, blob: await store(serializeZoneSettings(next), blobs) }
  return [put]
}

const isSame = (one: ZoneSettings, other: ZoneSettings): boolean =>
  Buffer.compare(serializeZoneSettings(one), serializeZoneSettings(other)) === 0

/** Git keeps no empty directory, so each standard one starts with a placeholder. */
async function placeholdersIn(zone: string, blobs: BlobStore): Promise<readonly Put[]> {
  const blob = await store(new Uint8Array(), blobs)
  return standardDirectories.map((directory) => ({
    kind: 'put',
    path: `${zoneDirectory(zone)}/v1/${directory}/${placeholderName}`,
    blob,
  }))
}

async function store(bytes: Uint8Array, blobs: BlobStore) {
  await using incoming = await blobs.receive(bytes)
  return await incoming.keep()
}

type WhatBegins = { readonly [Name in keyof Required<CreateOptions>]: CreateOptions[Name] }

/** What a zone begins with. */
async function putsOf(
  name: string,
  { isBare, settings }: WhatBegins,
  blobs: BlobStore,
): Promise<readonly Put[]> {
  const placeholders = isBare ? [] : await placeholdersIn(name, blobs)
  return isBare || settings !== undefined
    ? [...placeholders, await settingsOf(name, settings, blobs)]
    : placeholders
}

/** A zone is there by any file; this one says what is so by default. */
async function settingsOf(
  zone: string,
  settings: Partial<ZoneSettings> | undefined,
  blobs: BlobStore,
): Promise<Put> {
  const bytes = serializeZoneSettings({ ...defaultZoneSettings, ...settings })
  return { kind: 'put', path: zoneSettingsPath(zone), blob: await store(bytes, blobs) }
}

/** Whether there is a file, or a directory that is an object of its own. */
async function hasObject(tree: Tree, directory: string): Promise<boolean> {
  for (const { name, kind } of await tree.children(directory)) {
    const path = `${directory}/${name}`
    if (kind === 'directory') {
      if (await hasObject(tree, path)) return true
      continue
    }
    const file = name === placeholderName ? await tree.find(path) : undefined
    if (file?.kind !== 'file' || isMarkerBlob(await file.blob())) return true
  }
  return false
}

async function countFiles(tree: Tree, directory: string): Promise<number> {
  let count = 0
  for (const { name, kind } of await tree.children(directory)) {
    if (kind === 'directory') count += await countFiles(tree, `${directory}/${name}`)
    else if (name !== placeholderName) count += 1
  }
  return count
}

const wordOf = (value: ZoneSettings[keyof ZoneSettings]): string =>
  value instanceof Date ? value.toISOString() : String(value)

const describe = (settings: Partial<ZoneSettings>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} ${wordOf(value)}`)
    .join(', ')

/** The same settings as they were. */
const formerOf = (settings: object, zone: ZoneRecord | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(settings).map((name) => [name, (zone && Reflect.get(zone, name)) ?? null]),
  )
