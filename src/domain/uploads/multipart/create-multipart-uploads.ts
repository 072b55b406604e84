import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import { requireZone } from '../../access/actor.ts'
import type { createUploadOpener } from '../open-upload.ts'
import type { UploadParts } from '../upload-parts.ts'
import { createMultipartCompleter, dropParts } from './complete-upload.ts'
import { maxPartNumber } from './choose-parts.ts'
import { isFor, multipartOf } from './multipart-of.ts'
import { createMultipartTurns } from './multipart-turns.ts'
import type { MultipartUploads } from './multipart-uploads.ts'
import { createPartTaker } from './put-part.ts'

export function createMultipartUploads(
  parts: UploadParts,
  open: ReturnType<typeof createUploadOpener>,
): MultipartUploads {
  const { store, partStore, records, now, newId } = parts
  const turns = createMultipartTurns(parts)

  return {
    async create(terms, actor) {
      const id = idOfMoment(now(), newId())
      return multipartOf(await open({ ...terms, id, sizeBytes: undefined, isInParts: true }, actor))
    },
    find: async (place, actor) => multipartOf(await turns.require(place, actor)),
    putPart: createPartTaker(parts, turns),
    async parts(place, page, actor) {
      const { id } = await turns.requireOpen(place, actor)
      return await partStore.list(id, page)
    },
    async list({ preview, ...page }, actor) {
      requireZone(actor, page.zone)
      const found: StagedUploadRecord[] = []
      for (let { after } = page; ;) {
        const stored = await store.openInParts({ ...page, after }, now())
        // Those of a former zone of that name stay stored for a while, and are no reason to end; nor are others'.
        const isListed = (record: StagedUploadRecord) =>
          isFor(record, preview) && records.isOfZone(record)
        found.push(...stored.filter(isListed))
        const last = stored.at(-1)
        if (last === undefined || stored.length < page.limit || found.length >= page.limit) break
        after = { path: last.path, id: last.id }
      }
      return found.slice(0, page.limit).map(multipartOf)
    },
    complete: createMultipartCompleter(parts, turns),
    abort: (place, actor) =>
      turns.take(place, actor, async ({ id }) => {
        const stored = await partStore.list(id, { after: 0, limit: maxPartNumber })
        await store.remove(id)
        await partStore.removeAll(id)
        await dropParts(stored, parts)
      }),
  }
}

/** An id that stands behind those of earlier moments and is as hard to guess as `random`, a UUID. */
function idOfMoment(moment: Date, random: string): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${random.slice(13)}`
}
