import { createZones, type Zones } from '../domain/content/zones.ts'
import type { Insights } from './insights.ts'
import type { Logs } from './logs.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'

export interface ZoneSources {
  readonly stores: Pick<Stores, 'blobs'>
  readonly publishing: Pick<Publishing, 'catalog' | 'publisher'>
  readonly insights: Insights
  readonly logs: Logs
}

export const openZones = ({ stores, publishing, insights, logs }: ZoneSources): Zones =>
  createZones({
    blobs: stores.blobs,
    published: publishing.catalog,
    publisher: publishing.publisher,
    async settle() {
      await insights.operations.flushTraffic()
      await logs.flushLogs()
    },
  })
