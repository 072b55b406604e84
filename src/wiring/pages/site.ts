import { createSitePages, type SitePages } from '../../planes/site/site-pages.ts'
import { createSiteFiles, readDocuments } from './site-files.ts'
import type { World } from '../world.ts'

/** The pages with which the service shows itself. */
export const createSite = ({ config, log, now, newId }: World): SitePages =>
  createSitePages({
    file: createSiteFiles(),
    readDocuments,
    version: config.version,
    now,
    newId,
    log,
  })
