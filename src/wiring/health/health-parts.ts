import { createClockCheck } from '../../domain/health/clock.ts'
import type { Health } from '../../domain/health/health.ts'
import { createPartReports, type Fact, type OwnWord, type Part } from '../../domain/health/parts.ts'
import type { Mirror } from '../../domain/mirror/mirror.ts'
import type { ReadBackupStatus } from '../../ports/notifications/backup-status.ts'
import type { Media } from '../media.ts'
import type { NotificationParts } from './notifications.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

export interface PartsOfService {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly mirror: Mirror | undefined
  readonly readBackups: ReadBackupStatus
  readonly health: Health
  readonly notifying: NotificationParts
  readonly isIndexLoaded: () => boolean
}

/** How each part of the service is, for operators. */
export function openHealthParts(world: World, opened: PartsOfService) {
  const { now } = world
  const { health, notifying } = opened
  const parts = [innerParts, workParts, outerParts].flatMap((partsOf) => partsOf(world, opened))
  return {
    parts: createPartReports({
      parts,
      health,
      open: notifying.open,
      now,
      startedAt: now(),
    }),
    now,
  }
}

/** What the service is made of. */
function innerParts(world: World, opened: PartsOfService): readonly Part[] {
  const { stores, notifying } = opened
  const { config } = world
  return [
    {
      name: 'publishing',
      checks: ['publishing', 'repository', 'feed'],
      look: async () => ({
        facts: [{ name: 'sequence', value: (await stores.publications.position()).seq }],
      }),
    },
    {
      name: 'database',
      checks: ['database'],
      look: () => ({
        facts: [
          { name: 'kind', value: config.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL' },
        ],
      }),
    },
    {
      name: 'disk',
      checks: ['disk', 'blobs'],
      kinds: ['disk'],
      async look() {
        const { freeBytes, sizeBytes } = await notifying.diskSpace()
        return {
          facts: [
            { name: 'free', value: freeBytes, unit: 'bytes' },
            { name: 'size', value: sizeBytes, unit: 'bytes' },
          ],
        }
      },
    },
  ]
}

/** What it does, and within what bounds. */
function workParts(world: World, opened: PartsOfService): readonly Part[] {
  const { stores, media, notifying, isIndexLoaded } = opened
  const { config } = world
  return [
    {
      name: 'renderer',
      checks: ['transformer'],
      look: () => ({
        facts: [
          { name: 'running', value: media.renderQueue.state.running },
          { name: 'queued', value: media.renderQueue.state.queued },
        ],
      }),
    },
    { name: 'search', checks: ['search'] },
    {
      name: 'models',
      look: () => ({
        isOff: config.searchesByNameOnly,
        ...(!config.searchesByNameOnly &&
          !isIndexLoaded() && {
            problem: 'The index is being read; searches find names meanwhile.',
          }),
      }),
    },
    {
      name: 'delivery',
      kinds: ['errors'],
      async look() {
        const { requests, status5xx } = await notifying.recentResponses()
        return {
          facts: [
            { name: 'requests', value: requests },
            { name: 'failures', value: status5xx },
          ],
        }
      },
    },
    { name: 'limits', kinds: ['quota'] },
    { name: 'time', look: clockOf(world, stores) },
  ]
}

/** What it works with. */
function outerParts(world: World, opened: PartsOfService): readonly Part[] {
  const { publishing, notifying } = opened
  const { config, writing } = world
  const domainCount = () => [...publishing.domains.all()].length
  return [
    {
      name: 'edges',
      checks: ['edges'],
      kinds: ['edge'],
      async look() {
        const edges = await notifying.edgeStandings()
        return {
          isOff: edges.length === 0,
          facts: edges.slice(0, maxEdges).map(({ name, behind }) => ({ name, value: behind })),
        }
      },
    },
    {
      name: 'certificates',
      checks: ['certificates'],
      kinds: ['certificate'],
      look: () => ({
        isOff:
          config.acmeDirectory === undefined &&
          config.tlsCertificateFile === undefined &&
          config.tlsCertificates.length === 0,
      }),
    },
    {
      name: 'dns',
      kinds: ['domain'],
      look: () => ({
        isOff: domainCount() === 0,
        facts: [{ name: 'domains', value: domainCount() }],
      }),
    },
    { name: 'webhooks', checks: ['webhooks'], kinds: ['webhook'] },
    { name: 'mail', look: () => mailWord(notifying) },
    {
      name: 'mirror',
      checks: ['mirror', 'mirrored-files'],
      kinds: ['mirror'],
      look: () => mirrorWord(opened),
    },
    { name: 'backups', kinds: ['backup'], look: () => backupWord(opened) },
    {
      name: 'cluster',
      look: () => ({
        isOff: writing === undefined,
        facts: writing === undefined ? [] : [{ name: 'epoch', value: writing.epoch }],
      }),
    },
  ]
}

const maxEdges = 50

function mailWord({ mailState }: NotificationParts): OwnWord {
  const state = mailState()
  if (state === undefined) return { isOff: true }
  const { error, failures, sentAt } = state
  return {
    ...(error !== undefined && { problem: error }),
    facts: [
      { name: 'failures', value: failures },
      ...(sentAt === undefined ? [] : [{ name: 'sent', value: sentAt }]),
    ],
  }
}

function mirrorWord({ mirror }: PartsOfService): OwnWord {
  if (mirror === undefined) return { isOff: true }
  const { pendingCommits, pushedAt, error } = mirror.state
  return {
    ...(error !== undefined && { problem: error }),
    facts: [
      { name: 'pendingCommits', value: pendingCommits },
      ...(pushedAt === undefined ? [] : [{ name: 'pushed', value: pushedAt }]),
    ],
  }
}

async function backupWord({ readBackups }: PartsOfService): Promise<OwnWord> {
  const status = await readBackups()
  if (status === undefined) return { isOff: true }
  const facts: readonly Fact[] =
    status.newestAt === undefined ? [] : [{ name: 'newest', value: status.newestAt }]
  return { facts }
}

const clockOf = ({ now, monotonicMs }: World, { publications }: Stores) =>
  createClockCheck({
    now,
    monotonicMs,
    async lastPublished() {
      const { seq } = await publications.position()
      return (await publications.feedAfter(Math.max(0, seq - 1), 1))[0]?.at
    },
  })
