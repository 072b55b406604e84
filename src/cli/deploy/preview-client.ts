import { createClient } from '../../client/client.ts'
import type { Session } from '../support/service-command.ts'

/** Which preview of the zone storage is read from and written to. */
const previewHeader = 'Sedge-Preview'
const storagePath = '/api/storage'

/** The same session, whose reads and writes of storage are those of a preview. */
export const sessionIn = (preview: string, session: Session): Session => ({
  ...session,
  client: createClient({
    ...session.connection,
    fetch(request) {
      if (new URL(request.url).pathname.includes(storagePath))
        request.headers.set(previewHeader, preview)
      return fetch(request)
    },
  }),
})
