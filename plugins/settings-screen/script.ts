// What scripts add to the settings screen, which works without: copy buttons, rows that can be dragged, requests to the API, a warning
// before unsaved entries are lost.

/** The text of `screen.js`. */
export const script = `'use strict'
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy)
    const said = button.parentElement.querySelector('output')
    field.select()
    try {
      await navigator.clipboard.writeText(field.value)
      said.textContent = 'Copied.'
    } catch {
      said.textContent = 'Selected: copy it with your keyboard.'
    }
  })
}

// On narrow screens the tabs are a row that scrolls.
const tab = document.querySelector('.columns > nav [aria-current]')
if (tab) {
  const row = tab.closest('ul')
  row.scrollLeft = tab.offsetLeft - row.offsetLeft
}

const ask = document.querySelector('[data-ask]')
if (ask) {
  ask.hidden = false
  ask.addEventListener('click', async () => {
    const { api, apiPath } = document.querySelector('[data-api]').dataset
    const base = new URL(api).origin === location.origin ? api : apiPath
    const authorization = 'Bearer ' + document.getElementById('svc_api_token').value
    ask.disabled = true
    for (const output of document.querySelectorAll('[data-path]')) {
      const path = base + output.dataset.path
      try {
        const { status } = await fetch(path, { method: 'HEAD', headers: { authorization }, cache: 'no-store' })
        output.textContent = 'Responds ' + status + '.'
      } catch {
        output.textContent = 'Does not respond.'
      }
    }
    ask.disabled = false
  })
}

// A dropped row sends what a button of its form would send.
for (const list of document.querySelectorAll('[data-moves]')) {
  const rows = [...list.children]
  let from
  for (const [at, row] of rows.entries()) {
    row.draggable = true
    row.addEventListener('dragstart', (event) => {
      from = at
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', row.querySelector('.name').textContent)
    })
    row.addEventListener('dragend', () => {
      from = undefined
      for (const { classList } of rows) classList.remove('target')
    })
    row.addEventListener('dragover', (event) => {
      if (from === undefined) return
      event.preventDefault()
      for (const other of rows) other.classList.toggle('target', other === row && at !== from)
    })
    row.addEventListener('drop', (event) => {
      if (from === undefined) return
      event.preventDefault()
      if (at === from) return
      const button = document.createElement('button')
      Object.assign(button, { name: 'act', value: [list.dataset.moves, 'to', from, at].join('.'), hidden: true })
      row.append(button)
      button.click()
    })
  }
}

const form = document.querySelector('form.settings')
if (form) {
  let isTouched = document.querySelector('.notice.problem') !== null
  form.addEventListener('input', () => {
    isTouched = true
  })
  form.addEventListener('submit', () => {
    isTouched = false
  })
  addEventListener('beforeunload', (event) => {
    if (isTouched) event.preventDefault()
  })
}
`
