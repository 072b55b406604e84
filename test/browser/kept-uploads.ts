import type { Page } from 'playwright-core'

/** How many uploads the browser has kept. */
export const keptIn = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('sedge')
        opening.addEventListener('error', () => reject(new Error('there is nothing kept')))
        opening.addEventListener('success', () => {
          const counting = opening.result.transaction('uploads').objectStore('uploads').count()
          counting.addEventListener('success', () => resolve(counting.result))
        })
      }),
  )
