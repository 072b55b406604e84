import { join } from 'node:path'

/** Where pushes are until they are taken up. Whatever is there when the service starts is nobody's. */
export const pushesDirectory = (repository: string): string => join(repository, 'sedge-pushes')
