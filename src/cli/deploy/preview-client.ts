import { createClient } from '../../client/client.ts'
import type { Session } from '../support/service-command.ts'

/** Which preview of the zone files are read from and written to. */
const previewHeader = 'Sedge-Preview'
/** What is asked of files, large ones in pieces too. */
const filePaths = /\/api\/(?:storage|uploads)(?:\/|$)/u

/** The same session, whose reads and writes of files are those of a preview. */
export const sessionIn = (preview: string, session: Session): Session => ({
  ...session,
  preview,
  client: createClient({
    ...session.connection,
    fetch(request) {
      if (filePaths.test(new URL(request.url).pathname)) request.headers.set(previewHeader, preview)
      return fetch(request)
    },
  }),
})
