import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import { type Backups, createBackups } from '../../domain/backups/backups.ts'
import { createPace, type Pace } from '../../domain/backups/pace.ts'
import { type Actor, auditRecordOf } from '../../domain/access/actor.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { World } from '../world.ts'
import { openBackupSource } from './backup-source.ts'
import { openBackupTarget } from './backup-target.ts'

interface Opened {
  readonly stores: {
    readonly blobs: Pick<BlobStore, 'open'>
    readonly publications: Pick<PublicationStore, 'publish'>
  }
  readonly opening: AsyncDisposableStack
}

const lookEveryMs = 60_000

/** Backups of the service, made by the process that writes: of a cluster the one node that does. */
export async function openBackups(world: World, { stores, opening }: Opened): Promise<Backups> {
  const { config, log, now } = world
  const { backupTo, backupSecrets: hasSecrets } = config
  const databaseUrl = config.databaseUrl?.reveal()
  const database = { dataDirectory: config.dataDirectory, databaseUrl }
  const backups = opening.use(
    createBackups({
      target: backupTo === undefined ? undefined : await openBackupTarget(backupTo, config, world),
      source: openBackupSource({ database, blobs: stores.blobs, hasSecrets }),
      plan: planOf(config),
      paceUntil: (signal) => paceOf(config, world, signal),
      version: config.version,
      holder: { host: hostname(), pid: process.pid },
      isRunning,
      now,
      random: fourDigits,
      onDeed: (action, meta, actor) => record(world, stores, { action, meta, actor }),
      log,
    }),
  )
  if (backupTo !== undefined) watchTheClock(backups, log, opening)
  return backups
}

export const fourDigits = (): string => randomBytes(2).toString('hex')

type Config = World['config']

type Plan =
  'backupEveryHours' | 'backupKeep' | 'backupKeepDays' | 'backupKeepWeeks' | 'backupSecrets'

export const planOf = (config: Pick<Config, Plan>) => ({
  everyHours: config.backupEveryHours,
  retention: {
    newest: config.backupKeep,
    days: config.backupKeepDays,
    weeks: config.backupKeepWeeks,
  },
  hasSecrets: config.backupSecrets,
})

export const paceOf = (
  { backupMibPerSecond }: Pick<Config, 'backupMibPerSecond'>,
  { monotonicMs }: Pick<World, 'monotonicMs'>,
  signal: AbortSignal,
): Pace =>
  createPace({
    bytesPerSecond: backupMibPerSecond * 2 ** 20,
    monotonicMs,
    pause: (milliseconds) => pause(milliseconds, undefined, { signal }),
    signal,
  })

/** By a signal that does nothing. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

interface Deed {
  readonly action: string
  readonly meta: object
  readonly actor: Actor | undefined
}

async function record(
  { now, newId }: World,
  { publications }: Opened['stores'],
  { action, meta, actor = clock(newId()) }: Deed,
): Promise<void> {
  const deed = { action, target: 'backups', meta: { ...meta } }
  await publications.publish([{ feed: [], audit: [auditRecordOf(deed, actor, now())] }])
}

/** Who does what nobody ordered. */
const clock = (requestId: string): Actor => ({
  credentialId: 'sedge',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId,
})

function watchTheClock(backups: Backups, log: World['log'], opening: AsyncDisposableStack): void {
  const look = () =>
    void backups
      .startWhereDue()
      .catch((error: unknown) => log.warn('backups cannot be looked at', { error }))
  const first = setTimeout(look, 5_000)
  const timer = setInterval(look, lookEveryMs)
  opening.defer(() => {
    clearTimeout(first)
    clearInterval(timer)
  })
}
