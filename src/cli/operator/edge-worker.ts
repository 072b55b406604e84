import type { MainProcess } from '../../server/workers/edge-worker.ts'
import {
  type ToWorker,
  type WorkerSettings,
  workerSettingsName,
} from '../../server/workers/worker-messages.ts'
import type { DeliverySettings } from '../../wiring/delivery/worker-delivery.ts'
import { type Command, exitCodes, UsageError } from '../support/command.ts'

export const edgeWorkerCommand: Command = {
  name: 'edge-worker',
  isInternal: true,
  summary: 'deliver assets beside a running service',
  usage: `sedge edge-worker

Started by the service itself, as often as EDGE_WORKERS says.`,
  async run(_args, { environment }) {
    const settings = environment[workerSettingsName]
    if (settings === undefined || process.send === undefined)
      throw new UsageError('edge-worker is started by the service; set EDGE_WORKERS instead')
    const { runEdgeWorker } = await import('../../server/workers/edge-worker.ts')
    const { openDelivery } = await import('../../wiring/delivery/worker-delivery.ts')
    const given = JSON.parse(settings) as WorkerSettings<DeliverySettings>
    await runEdgeWorker(given, mainProcess(), openDelivery)
    // The channel would keep the process alive.
    if (process.connected) process.disconnect?.()
    return exitCodes.ok
  },
}

const mainProcess = (): MainProcess => ({
  send(message) {
    // Without a channel the main process is gone, and with it whoever would count.
    if (process.connected) process.send?.(message)
  },
  listen(listener) {
    process.on('message', (message: ToWorker) => listener(message))
    process.once('disconnect', () => listener(undefined))
  },
})
