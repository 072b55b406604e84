import type { PlaneDescription } from '../http/openapi/openapi.ts'
import type { Operation } from '../http/operation.ts'
import { accessOperations, type AccessDependencies } from './access/operations.ts'
import { assetsOperations, type AssetsDependencies } from './assets/operations.ts'
import { chatOperation, type ChatDependencies } from './chat/chat.ts'
import { coreOperations, type CoreDependencies } from './core/operations.ts'
import { autoOperations, type AutoDependencies } from './delivery/auto.ts'
import { purgeOperation, type PurgeDependencies } from './delivery/purge.ts'
import { signedOperation, type SignedDependencies } from './delivery/signed.ts'
import { streamOperation, type StreamDependencies } from './delivery/stream.ts'
import { transformOperation, type TransformDependencies } from './delivery/transform.ts'
import { edgesOperations, type EdgesDependencies } from './edges/operations.ts'
import { insightsOperations, type InsightsDependencies } from './insights/operations.ts'
import { analyticsOperations, type AnalyticsDependencies } from './operations/analytics.ts'
import { logsOperation, type LogsDependencies } from './operations/logs.ts'
import { limitsOperation, type LimitsDependencies } from './operations/limits.ts'
import { healthOperation, type HealthDependencies } from './operations/health.ts'
import { searchOperation, type SearchDependencies } from './search/search.ts'
import { storageOperations, type StorageDependencies } from './storage/operations.ts'
import { webhooksOperations, type WebhooksDependencies } from './webhooks/operations.ts'

export type PlaneDependencies = StorageDependencies &
  AssetsDependencies &
  CoreDependencies &
  TransformDependencies &
  AutoDependencies &
  StreamDependencies &
  SignedDependencies &
  PurgeDependencies &
  AccessDependencies &
  WebhooksDependencies &
  InsightsDependencies &
  AnalyticsDependencies &
  SearchDependencies &
  ChatDependencies &
  LogsDependencies &
  LimitsDependencies &
  HealthDependencies &
  EdgesDependencies

/** Every endpoint of the service, in the order of its description. */
export const allOperations = (dependencies: PlaneDependencies): readonly Operation[] => [
  ...assetsOperations(dependencies),
  ...storageOperations(dependencies),
  ...coreOperations(dependencies),
  transformOperation(dependencies),
  ...autoOperations(dependencies),
  signedOperation(dependencies),
  streamOperation(dependencies),
  purgeOperation(dependencies),
  ...accessOperations(dependencies),
  ...webhooksOperations(dependencies),
  ...insightsOperations(dependencies),
  ...analyticsOperations(dependencies),
  searchOperation(dependencies),
  chatOperation(dependencies),
  logsOperation(dependencies),
  limitsOperation(dependencies),
  healthOperation(dependencies),
  ...edgesOperations(dependencies),
]

/** The endpoints as values to read; their handlers have nothing to work with and must not be called. */
export const describeOperations = (): readonly Operation[] =>
  // The dependencies are only handed on while operations are made.
  allOperations({} as PlaneDependencies)

/** What each plane is for, by the name that its operations give. */
export const planeDescriptions: Readonly<Record<string, PlaneDescription>> = {
  assets: {
    title: 'Assets',
    description: 'The catalogue of everything that is stored: lists, filters, metadata, history.',
  },
  storage: {
    title: 'Storage',
    description: 'Files: store, read, list, delete. Every write is a commit.',
  },
  core: {
    title: 'Core',
    description: 'Zones, their host names, edge rules, statistics, and who changed what.',
  },
  delivery: {
    title: 'Delivery',
    description:
      'Pictures in other sizes and formats, signed addresses, films, and purging. Assets themselves are at their paths, `/<zone>/v1/…`.',
  },
  tokens: {
    title: 'Tokens',
    description: 'Bearer tokens that open no more than their scopes, in no more than their zones.',
  },
  passkeys: { title: 'Passkeys', description: 'How operators sign in to the dashboard.' },
  sessions: { title: 'Sessions', description: 'Who is signed in.' },
  webhooks: {
    title: 'Webhook endpoints',
    description: 'Who is told of what happens. What they are sent is under *Webhooks*.',
  },
  insights: {
    title: 'Insights',
    description:
      'What was delivered, counted exactly. Countries: IP Geolocation by [DB-IP](https://db-ip.com).',
  },
  search: { title: 'Search', description: 'Find assets by what they are.' },
  chat: { title: 'Chat', description: 'Ask about the files and about this service.' },
  edges: {
    title: 'Edges',
    description: 'For edges elsewhere that follow what is published here. Nobody else needs it.',
  },
  operations: { title: 'Operations', description: 'Health, logs, analytics, and this document.' },
}
