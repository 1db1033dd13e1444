// What scripts add to the desk, which works without: parts that change by themselves, what checks find, and reasons in
// place of failed previews.

/** The text of `screen.js`. */
export const deskScript = `'use strict'
function explain(root) {
  for (const picture of root.querySelectorAll('img')) {
    const replaceWithReason = async () => {
      const reason = document.createElement('span')
      reason.className = 'blank why'
      reason.textContent = 'No preview'
      picture.replaceWith(reason)
      try {
        const response = await fetch(picture.src, { cache: 'no-store' })
        if (!response.ok) showReason(reason, (await response.text()).slice(0, 300))
      } catch {
        // "No preview" stays.
      }
    }
    if (picture.complete && picture.naturalWidth === 0 && picture.src) void replaceWithReason()
    else picture.addEventListener('error', replaceWithReason, { once: true })
  }
}
// Beside a thumbnail, which has no room for a sentence.
function showReason(reason, text) {
  const beside = reason.parentElement.matches('a.thumb') && reason.closest('li').querySelector('.what')
  if (!beside) {
    reason.textContent = text
    return
  }
  const sentence = document.createElement('p')
  sentence.className = 'why'
  sentence.textContent = text
  beside.append(sentence)
}
explain(document)
// What a check of each design finds, one after the other; the link to all of it stays.
async function check() {
  for (const place of document.querySelectorAll('[data-check]')) {
    const link = place.querySelector('a')
    if (!link) continue
    try {
      const response = await fetch(link.href)
      if (!response.ok) continue
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      place.prepend(...page.querySelectorAll('[data-brief]'))
    } catch {
      // The link leads to the check.
    }
  }
}
void check()

const live = [...document.querySelectorAll('[data-live]')]
if (live.length > 0 && 'EventSource' in window) {
  let isLoading = false
  let isStale = false
  async function refresh() {
    if (isLoading) {
      isStale = true
      return
    }
    isLoading = true
    try {
      const response = await fetch(location.href, { headers: { accept: 'text/html' } })
      if (response.ok) {
        const next = new DOMParser().parseFromString(await response.text(), 'text/html')
        for (const { id } of live) renew(document.getElementById(id), next.getElementById(id))
        for (const now of document.querySelectorAll('h2 .state')) {
          const then = next.querySelector('#' + CSS.escape(now.parentElement.id) + ' .state')
          if (then) now.replaceWith(then)
        }
      }
    } catch {
      // The next event tries again.
    }
    isLoading = false
    if (isStale) {
      isStale = false
      setTimeout(refresh, 1000)
    }
  }
  // A part without changes keeps its loaded pictures; in a changed part, the focus stays on its link or button.
  function renew(now, next) {
    if (!now || !next || now.innerHTML === next.innerHTML) return
    const focused = now.contains(document.activeElement) && document.activeElement
    const place = focused && [...now.querySelectorAll('a, button, summary')].indexOf(focused)
    now.replaceChildren(...next.childNodes)
    explain(now)
    if (focused) (now.querySelectorAll('a, button, summary')[place] ?? document.getElementById('main')).focus()
  }
  const events = new EventSource('events')
  // Something may have changed since the page was made, or while there was no connection.
  events.addEventListener('open', refresh)
  events.addEventListener('queue', refresh)
}
`
