import { z } from 'zod'

import type { BackupJob, EndedJob } from '../../domain/backups/backup-job.ts'
import type { BackupManifest } from '../../domain/backups/backup-manifest.ts'
import { backupPhases } from '../../domain/backups/take-backup.ts'
import type { Backups, KnownBackup } from '../../domain/backups/backups.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'

export interface BackupsDependencies {
  readonly backups: Backups
}

const common = { plane: 'core', envelope: 'standard' } as const
const mayRead = { keys: ['account'], session: true, scope: 'backups:read' } as const
const mayWrite = { keys: ['account'], session: true, scope: 'backups:write' } as const
const params = z.object({ id: z.string().max(64) })

const kinds = ['backup', 'verification'] as const

const job = z.object({
  Kind: z.enum(kinds),
  Id: z.string().nullable().describe('The backup that is verified'),
  DateStarted: z.iso.datetime(),
  Phase: z.enum(backupPhases),
  DoneBytes: z.int(),
  ExpectedBytes: z.int().nullable().describe('About: of the backup before'),
})

const ended = z.object({
  Kind: z.enum(kinds),
  Id: z.string().nullable(),
  Date: z.iso.datetime(),
  Error: z.string().nullable().describe('Why it came to nothing'),
})

const backup = z.object({
  Id: z.string(),
  State: z
    .enum(['unverified', 'verified', 'damaged'])
    .describe('`verified`: each piece was read again later than it was written'),
  DateStarted: z.iso.datetime().nullable(),
  Seconds: z.number().nullable().describe('How long it took'),
  Size: z.int().nullable().describe('Of all its pieces, in bytes'),
  NewBytes: z.int().nullable().describe('What was not in the target before'),
  Pieces: z.int().nullable(),
  Files: z.int().nullable().describe('Of the repository, large files among them'),
  Rows: z.int().nullable(),
  Commit: z.string().nullable().describe('The last that was published'),
  FeedSeq: z.int().nullable(),
  Version: z.string().nullable().describe('Of the service that made it'),
  HasSecrets: z.boolean().nullable().describe('Whether keys and certificates are in it'),
  Missing: z.array(z.string()).describe('Large files that were lost before'),
  DateVerified: z.iso.datetime().nullable(),
  DamagedPieces: z.int(),
})

const overview = z.object({
  Enabled: z.boolean(),
  To: z.string().nullable(),
  EveryHours: z.int().describe('0: only when somebody orders one'),
  Keep: z.object({ Newest: z.int(), Days: z.int(), Weeks: z.int() }),
  HasSecrets: z.boolean(),
  DateNext: z.iso.datetime().nullable(),
  IsOverdue: z.boolean(),
  Running: job.nullable(),
  LastEnded: ended.nullable().describe('Of those since the service was started'),
  Backups: z.array(backup).describe('Newest first'),
  Count: z.int(),
})

const listBackups = operation({
  ...common,
  id: 'listBackups',
  method: 'get',
  path: '/api/core/backups',
  summary: 'What was backed up, what is under way, and what comes next',
  access: mayRead,
  responses: { 200: { description: 'Newest first', schema: overview } },
}).handledBy(({ backups }: BackupsDependencies) => async ({ caller, respond }) => {
  const { plan, place } = backups
  const known = await backups.list(actorOf(caller))
  const { isEnabled, running, lastEnded, nextAt, isOverdue } = backups.state()
  return respond(200, {
    Enabled: isEnabled,
    To: place ?? null,
    EveryHours: plan.everyHours,
    Keep: {
      Newest: plan.retention.newest,
      Days: plan.retention.days,
      Weeks: plan.retention.weeks,
    },
    HasSecrets: plan.hasSecrets,
    DateNext: nextAt?.toISOString() ?? null,
    IsOverdue: isOverdue,
    Running: running === undefined ? null : jobJson(running),
    LastEnded: lastEnded === undefined ? null : endedJson(lastEnded),
    Backups: known.map(backupJson),
    Count: known.length,
  })
})

const createBackup = operation({
  ...common,
  id: 'createBackup',
  method: 'post',
  path: '/api/core/backups',
  summary: 'Back up now',
  description:
    'Responds once the backup has begun; `GET /api/core/backups` says how far it is, and how it ended. All that was acknowledged before is in it.',
  access: mayWrite,
  responses: { 202: { description: 'Begun', schema: job } },
}).handledBy(
  ({ backups }: BackupsDependencies) =>
    async ({ caller, respond }) =>
      respond(202, jobJson(await backups.start(actorOf(caller)))),
)

const getBackup = operation({
  ...common,
  id: 'getBackup',
  method: 'get',
  path: '/api/core/backups/{id}',
  summary: 'One backup',
  access: mayRead,
  params,
  responses: { 200: { description: 'The backup', schema: backup } },
}).handledBy(
  ({ backups }: BackupsDependencies) =>
    async ({ params: { id }, caller, respond }) =>
      respond(200, backupJson(await backups.find(id, actorOf(caller)))),
)

const getBackupManifest = operation({
  ...common,
  id: 'getBackupManifest',
  method: 'get',
  path: '/api/core/backups/{id}/manifest',
  summary: 'The manifest of a backup, as it is in the target',
  description:
    'The tables with the SHA-256 of each of their pieces, and of the piece that lists the files. Its own SHA-256 is in its name there.',
  access: mayRead,
  params,
  responses: {
    200: {
      description: 'The manifest',
      schema: z.looseObject({ format: z.literal(1), id: z.string() }),
    },
  },
}).handledBy(({ backups }: BackupsDependencies) => async ({ params: { id }, caller, respond }) => {
  const manifest = await backups.manifest(id, actorOf(caller))
  return respond(200, { ...manifest })
})

const verifyBackup = operation({
  ...common,
  id: 'verifyBackup',
  method: 'post',
  path: '/api/core/backups/{id}/verify',
  summary: 'Read every piece of a backup and compare its SHA-256',
  description:
    'Responds once it has begun; `GET /api/core/backups` says how far it is. The next backup writes anew what is damaged.',
  access: mayWrite,
  params,
  responses: { 202: { description: 'Begun', schema: job } },
}).handledBy(
  ({ backups }: BackupsDependencies) =>
    async ({ params: { id }, caller, respond }) =>
      respond(202, jobJson(await backups.verify(id, actorOf(caller)))),
)

const deleteBackup = operation({
  ...common,
  id: 'deleteBackup',
  method: 'delete',
  path: '/api/core/backups/{id}',
  summary: 'Delete a backup, with the pieces that no other has',
  access: mayWrite,
  params,
  responses: {
    200: {
      description: 'Deleted',
      schema: z.object({ HttpCode: z.literal(200), Message: z.string() }),
    },
  },
}).handledBy(({ backups }: BackupsDependencies) => async ({ params: { id }, caller, respond }) => {
  await backups.remove(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: `Backup ${id} is deleted` })
})

const jobJson = (running: BackupJob): z.infer<typeof job> => ({
  Kind: running.kind,
  Id: running.id ?? null,
  DateStarted: running.startedAt.toISOString(),
  Phase: running.phase,
  DoneBytes: running.doneBytes,
  ExpectedBytes: running.expectedBytes ?? null,
})

const endedJson = ({ kind, id, endedAt, error }: EndedJob): z.infer<typeof ended> => ({
  Kind: kind,
  Id: id ?? null,
  Date: endedAt.toISOString(),
  Error: error ?? null,
})

function backupJson({ id, manifest, check }: KnownBackup): z.infer<typeof backup> {
  return {
    Id: id,
    State: stateOf({ manifest, check }),
    ...(manifest === undefined ? unreadable : manifestJson(manifest)),
    DateVerified: check?.checkedAt ?? null,
    DamagedPieces: check?.faults.length ?? 0,
  }
}

type Described = Omit<z.infer<typeof backup>, 'Id' | 'State' | 'DateVerified' | 'DamagedPieces'>

const unreadable: Described = {
  DateStarted: null,
  Seconds: null,
  Size: null,
  NewBytes: null,
  Pieces: null,
  Files: null,
  Rows: null,
  Commit: null,
  FeedSeq: null,
  Version: null,
  HasSecrets: null,
  Missing: [],
}

const manifestJson = (manifest: BackupManifest): Described => ({
  DateStarted: manifest.startedAt,
  Seconds: secondsOf(manifest),
  Size: manifest.sizeBytes,
  NewBytes: manifest.newBytes,
  Pieces: manifest.pieceCount,
  Files: manifest.files.count,
  Rows: manifest.tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
  Commit: manifest.commitId,
  FeedSeq: manifest.feedSeq,
  Version: manifest.version,
  HasSecrets: manifest.hasSecrets,
  Missing: [...manifest.missing],
})

const secondsOf = ({ startedAt, finishedAt }: { startedAt: string; finishedAt: string }) =>
  (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

function stateOf({ manifest, check }: Pick<KnownBackup, 'manifest' | 'check'>) {
  if (manifest === undefined || (check?.faults.length ?? 0) > 0) return 'damaged'
  return check === undefined ? 'unverified' : 'verified'
}

/** `/api/core/backups`. */
export const backupOperations: readonly HandledOperation<BackupsDependencies>[] = [
  listBackups,
  createBackup,
  getBackup,
  getBackupManifest,
  verifyBackup,
  deleteBackup,
]
