import { hasValidHost, namesTwoHosts } from '../../http/request/host-field.ts'
import {
  isBelow,
  isChallenge,
  isDelivered,
  isHome,
  isListForPrograms,
  isOfClones,
  isOfIiif,
  isOfMcp,
} from '../../server/routes.ts'
import type { HostPurposes } from './host-purposes.ts'

/** What a URL is for. A host name that is a zone's own has nothing of ours but the API and challenges. */
export type Route =
  'asset' | 'api' | 'watch' | 'challenge' | 'clone' | 'dashboard' | 'site' | 's3' | 'mcp'

type Hosts = Pick<HostPurposes, 'isOurHost' | 'hasInterface' | 'isOfS3'>

/** The same decision in every process; each has its own responders for what it decides. */
export const createRouteOf =
  (hosts: Hosts) =>
  (request: Request): Route => {
    const { url } = request
    if (hosts.isOfS3(url)) return 's3'
    // A URL without a valid host can be taken apart by nobody but the edge, which refuses it.
    if (isDelivered(url) || !hasValidHost(request) || namesTwoHosts(request)) return 'asset'
    if (isBelow(url, '/watch')) return 'watch'
    if (isChallenge(url)) return 'challenge'
    return routeByHost(url, hosts)
  }

function routeByHost(url: string, hosts: Hosts): Route {
  const isOurs = hosts.isOurHost(url)
  if (isOurs && isOfSite(url)) return 'site'
  // What a host is no name of ours for, the edge refuses as it does an asset there.
  if (isBelow(url, '/api') || isOfIiif(url)) return hosts.hasInterface(url) ? 'api' : 'asset'
  if (!isOurs) return 'asset'
  if (isOfMcp(url)) return 'mcp'
  return isOfClones(url) ? 'clone' : 'dashboard'
}

/** Whether the URL may be that of a page with which the service shows itself. */
const isOfSite = (url: string): boolean =>
  isHome(url) || isBelow(url, '/docs') || isBelow(url, '/api/docs') || isListForPrograms(url)
