// The script of the documentation site: the search box, and the list of versions. Works from a folder, too.
import { search } from './search.ts'

const base = document.documentElement.dataset.base
const input = document.querySelector('#search')
const results = document.querySelector('#results')
const status = document.querySelector('#search-status')

/** Loads a script of the site once: `fetch` does not read files of a folder. */
function load(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
}

let loading
const loadIndex = () => {
  loading ??= load(`${base}search-index.js`)
  return loading
}

function element(name, text, children = []) {
  const node = document.createElement(name)
  node.textContent = text
  node.append(...children)
  return node
}

async function showResults() {
  await loadIndex()
  const query = input.value.trim()
  const found = search(globalThis.docsIndex, query)
  results.replaceChildren(
    ...found.map(({ url, page, heading, excerpt }) => {
      const title = heading === page ? page : `${page}: ${heading}`
      const link = element('a', '', [element('b', title), element('span', excerpt)])
      link.href = base + url
      return element('li', '', [link])
    }),
  )
  results.hidden = query === ''
  status.textContent = query === '' ? '' : `${found.length === 0 ? 'No' : found.length} results`
}

function moveFocus(event) {
  const links = [input, ...results.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    results.hidden = true
    input.focus()
  } else if (step && !results.hidden) {
    event.preventDefault()
    links[Math.max(0, links.indexOf(document.activeElement) + step)]?.focus()
  }
}

input.addEventListener('focus', loadIndex, { once: true })
input.addEventListener('input', showResults)
input.form.addEventListener('submit', (event) => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
input.form.addEventListener('keydown', moveFocus)
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  input.focus()
})

// Written beside the folders of the versions by each build.
const select = document.querySelector('#version')
load(`${base}../versions.js`)
  .then(() => {
    const others = globalThis.docsVersions.filter((version) => version !== select.value)
    select.append(...others.map((version) => new Option(version, version)))
    select.addEventListener('change', () => {
      location.href = `${base}../${select.value}/index.html`
    })
  })
  .catch(() => undefined)
