/** Finds the Debian programs that the tests need, and installs the packages of missing ones. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Returns the path of each program in `packages` (program to Debian package), installing what is missing.
 * A program that is not available is an error: a test that cannot run must not look like one that passed.
 */
export async function ensureCommands<Name extends string>(
  packages: Record<Name, string>,
): Promise<Record<Name, string>> {
  const wanted = Object.entries<string>(packages)
  const missing = wanted.filter(([name]) => findCommands(name).length === 0).map(([, owner]) => owner)
  if (missing.length > 0) await installPackages(...new Set(missing))
  const found = wanted.map(([name, owner]) => {
    const [path] = findCommands(name)
    if (!path) throw new Error(`The program ${name} is missing, although Debian's ${owner} is installed.`)
    return [name, path]
  })
  return Object.fromEntries(found) as Record<Name, string>
}

/** Installs Debian packages; needs root. */
export async function installPackages(...packages: string[]): Promise<void> {
  const install = 'apt install -y --no-install-recommends "$@"'
  await withApt(`${install} || { again apt update; again ${install}; }`, packages)
}

/** Unpacks a Debian package into `folder` if that does not exist, without installing it or its dependencies. */
export async function unpackPackage(name: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const script = `
    [ ! -e "$2" ] || exit 0
    mkdir -p "$(dirname "$2")"
    work=$(mktemp -d "$2.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    apt download "$1" || { again apt update; again apt download "$1"; }
    dpkg-deb -x "$1"_*.deb content
    mv content "$2"`
  await withApt(script, [name, folder])
}

/** All programs of this name on the PATH, in its order. */
export function findCommands(name: string): string[] {
  // An ordinary user's PATH does not include the folder of servers.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))
}

// Test processes take turns with their own lock. apt waits for another owner of the dpkg lock, but not
// of the lock on its lists; hence `again`.
const prelude = `
  export DEBIAN_FRONTEND=noninteractive
  apt() { apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }
  again() { "$@" || { sleep 5; "$@"; } || { sleep 30; "$@"; }; }
`

async function withApt(script: string, names: string[]): Promise<void> {
  const turn = join(tmpdir(), 'svc-tests-apt.lock')
  try {
    await promisify(execFile)('flock', [turn, 'sh', '-ec', prelude + script, 'sh', ...names])
  } catch (cause) {
    throw new Error(`The tests need Debian's ${names[0]}, and apt-get could not fetch it.`, { cause })
  }
}

/** Unpacks the packages into the folder and lists the files that match the pattern. Fails without apt-get. */
export function debianFiles(folder: string, packages: readonly string[], pattern: string): string[] {
  const run = (command: string, ...parameters: string[]) =>
    execFileSync(command, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 })
  run('apt-get', 'download', ...packages)
  for (const archive of globSync('*.deb', { cwd: folder })) run('dpkg-deb', '-x', archive, 'unpacked')
  return globSync(`unpacked/**/${pattern}`, { cwd: folder })
    .map((file) => join(folder, file))
    .sort()
}

/** Ensures that a tool exists, and installs its package if it does not. */
export function debianTool(command: string, name: string): string {
  if (spawnSync(command, ['--version']).error) {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
      stdio: 'ignore',
      timeout: 300_000,
    })
  }
  return command
}

/**
 * Unpacks programs of Debian's unstable suite into `folder` if that does not exist, with all that they depend on, the C
 * library included: only the loader among them can start them. Nothing is installed, and the machine's own lists of
 * packages stay as they are.
 */
export async function unpackUnstable(name: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const script = `
    [ ! -e "$2" ] || exit 0
    work=$(mktemp -d "$2.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    mkdir -p lists/partial cache/archives/partial etc/preferences.d etc/sources.list.d
    # From the mirror that this machine uses.
    mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null |
      awk '$1 == "URIs:" || $1 == "deb" { for (i = 2; i <= NF; i++)
        if (index($i, "://") && !/security/) { print $i; exit } }')
    printf 'Types: deb\nURIs: %s\nSuites: sid\nComponents: main\nSigned-By: %s\n' \
      "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg >etc/sources.list.d/sid.sources
    set -- "$1" "$2" -qq -o Dir::Etc="$work/etc" -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::Parts=/etc/apt/apt.conf.d \
      -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
    name=$1 target=$2
    shift 2
    again apt-get "$@" update
    wanted=$(apt-cache "$@" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
      --no-enhances "$name" | grep '^[a-z0-9]' | grep -vE 'perl|debconf|dpkg' | sort -u)
    again apt-get "$@" download $wanted
    for archive in *.deb; do dpkg-deb -x "$archive" content; done
    mv content "$target"`
  await withApt(script, [name, folder])
}

/**
 * Unpacks Debian packages into a folder, with what they depend on and this machine lacks, if that is not there. Nothing
 * is installed. @returns the folder
 */
export async function unpackPackages(packages: readonly string[], folder: string): Promise<string> {
  if (existsSync(folder)) return folder
  const script = `
    target=$2
    shift 2
    [ ! -e "$target" ] || exit 0
    work=$(mktemp -d "$target.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    missing() { apt-get install --simulate -qq --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }'; }
    fetch() { wanted=$(missing "$@") && apt download "$@" $wanted; }
    fetch "$@" || { again apt update; again fetch "$@"; }
    for archive in *.deb; do dpkg-deb -x "$archive" content; done
    mv content "$target"`
  await withApt(script, [packages[0] ?? '', folder, ...packages])
  return folder
}
