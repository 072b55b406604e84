import type {
  FormerFocalPoint,
  FormerFocalPoints,
} from '../../../ports/media/former-focal-points.ts'
import type { Point } from '../../../ports/media/renderer.ts'
import type { Database } from '../database.ts'

/** Focal points in the table of what is known of images. */
export class SqlFormerFocalPoints implements FormerFocalPoints {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async waiting(): Promise<readonly FormerFocalPoint[]> {
    const rows = await this.#database.queries
      .selectFrom('media_facts')
      .select(['sha256', 'focal_point'])
      .where('focal_point', 'is not', null)
      .where('focal_point_carried', '=', 0)
      .execute()
    return rows.map(({ sha256, focal_point: point }) => ({
      sha256,
      point: JSON.parse(point ?? 'null') as Point,
    }))
  }

  async markCarried(): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('media_facts')
        .set({ focal_point_carried: 1 })
        .where('focal_point', 'is not', null)
        .execute()
    })
  }
}
