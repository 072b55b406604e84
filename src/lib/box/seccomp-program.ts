/** What a filter of system calls has to know of a kind of machine. */
interface Machine {
  /** AUDIT_ARCH_*: calls made in another convention mean other things by the same numbers. */
  readonly audit: number
  /** Whether numbers from 2^30 on are a second convention (x32). */
  readonly hasSecondRange: boolean
  readonly clone: number
  readonly clone3: number
  readonly denied: readonly number[]
}

/**
 * Calls that nothing in a box needs, by their numbers on x64 and arm64: all ways to a connection that is
 * not handed over (io_uring is one), into other processes, to other views of the file system, and into
 * rarely used parts of the kernel.
 */
const deniedCalls: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  socket: [41, 198],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
}

const machineByArch: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc0_00_00_3e,
    hasSecondRange: true,
    clone: 56,
    clone3: 435,
    denied: Object.values(deniedCalls).map(([x64]) => x64),
  },
  arm64: {
    audit: 0xc0_00_00_b7,
    hasSecondRange: false,
    clone: 220,
    clone3: 435,
    denied: Object.values(deniedCalls).map(([, arm64]) => arm64),
  },
}

/** Instructions of classic BPF, and what a filter may answer (linux/filter.h, linux/seccomp.h). */
const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06
const allow = 0x7f_ff_00_00
const killProcess = 0x80_00_00_00
const refuse = 0x00_05_00_00
const notPermitted = 1
const notImplemented = 38

/** Places in what the filter looks at: number of the call, convention, lower half of the first argument. */
const numberAt = 0
const conventionAt = 4
const firstArgumentAt = 16
const secondRange = 0x40_00_00_00
/** CLONE_NEWNS and all the other namespaces: in one of its own, a process may do what it may not here. */
const namespaceFlags = 0x7e_02_00_00

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A filter that refuses them with EPERM, and with ENOSYS the call that hides its flags from filters, so
 * that the C library uses the older one. `undefined` for a machine whose numbers are not known.
 */
export function seccompProgram(arch: string): Uint8Array | undefined {
  const machine = machineByArch[arch]
  if (machine === undefined) return undefined
  const { audit, hasSecondRange, clone, clone3, denied } = machine
  return encode([
    [loadWord, 0, 0, conventionAt],
    [jumpIfEqual, 1, 0, audit],
    [answer, 0, 0, killProcess],
    [loadWord, 0, 0, numberAt],
    ...(hasSecondRange ? guarded([jumpIfAtLeast, 0, 1, secondRange], notPermitted) : []),
    ...denied.flatMap((call) => guarded([jumpIfEqual, 0, 1, call], notPermitted)),
    ...guarded([jumpIfEqual, 0, 1, clone3], notImplemented),
    [jumpIfEqual, 0, 3, clone],
    [loadWord, 0, 0, firstArgumentAt],
    ...guarded([jumpIfAnyBit, 0, 1, namespaceFlags], notPermitted),
    [answer, 0, 0, allow],
  ])
}

const guarded = (condition: Instruction, error: number): readonly Instruction[] => [
  condition,
  [answer, 0, 0, refuse | error],
]

const instructionBytes = 8

/** As `struct sock_filter`, one after another. */
function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * instructionBytes)
  const view = new DataView(bytes.buffer)
  for (const [place, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    const at = place * instructionBytes
    view.setUint16(at, code, true)
    view.setUint8(at + 2, ifTrue)
    view.setUint8(at + 3, ifFalse)
    view.setUint32(at + 4, value >>> 0, true)
  }
  return bytes
}
