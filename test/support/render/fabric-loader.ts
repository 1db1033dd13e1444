// Runs in the browser: makes fabric objects of stored elements, and paints them. It must not refer to anything outside.
import type { ReferenceJob } from './fabric.ts'

/** What is used of fabric.js in the page; the library has no types of its own. */
// biome-ignore lint/suspicious/noExplicitAny: the library comes without types and is only a test reference
declare const fabric: any

export async function loader(job: ReferenceJob): Promise<string> {
  // biome-ignore lint/suspicious/noExplicitAny: stored elements have no fixed form
  type Properties = any
  const { area, width, height, sources, printingBox } = job
  fabric.Object.prototype.objectCaching = false
  fabric.filterBackend = new fabric.Canvas2dFilterBackend()
  const canvas = new fabric.StaticCanvas(document.createElement('canvas'), {
    width,
    height,
    renderOnAddRemove: false,
    enableRetinaScaling: false,
  })
  const [sx, sy] = [width / area.width, height / area.height]
  canvas.setViewportTransform([sx, 0, 0, sy, -area.x * sx, -area.y * sy])

  const common = (given: Properties) => ({
    left: Number(given.left ?? given.x ?? 0),
    top: Number(given.top ?? given.y ?? 0),
    angle: given.angle ?? given.degree ?? 0,
    scaleX: given.scaleX ?? given.scale ?? 1,
    scaleY: given.scaleY ?? given.scale ?? 1,
    flipX: given.flipX ?? false,
    flipY: given.flipY ?? false,
    skewX: given.skewX ?? 0,
    skewY: given.skewY ?? 0,
    originX: given.originX ?? 'center',
    originY: given.originY ?? 'center',
    opacity: given.opacity ?? 1,
    stroke: given.stroke ?? null,
    strokeWidth: given.strokeWidth ?? 0,
    paintFirst: given.paintFirst ?? 'fill',
    globalCompositeOperation: given.globalCompositeOperation ?? 'source-over',
    backgroundColor: given.backgroundColor ?? '',
    visible: given.visible ?? true,
    strokeUniform: given.strokeUniform ?? false,
    strokeDashArray: given.strokeDashArray ?? null,
    strokeDashOffset: given.strokeDashOffset ?? 0,
    strokeLineCap: given.strokeLineCap ?? 'butt',
    strokeLineJoin: given.strokeLineJoin ?? 'miter',
    strokeMiterLimit: given.strokeMiterLimit ?? 4,
    shadow: given.shadowColor
      ? new fabric.Shadow({
          color: given.shadowColor,
          blur: given.shadowBlur ?? 0,
          offsetX: given.shadowOffsetX ?? 0,
          offsetY: given.shadowOffsetY ?? 0,
        })
      : given.shadow
        ? new fabric.Shadow(given.shadow)
        : null,
  })

  const inkOf = (ink: Properties) => (ink?.colorStops ? new fabric.Gradient(ink) : ink)

  const imageOf = async (url: string) => {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  }

  const textObject = async (element: Properties) => {
    const given = element.parameters
    const decoration = given.textDecoration ?? ''
    const options: Properties = {
      ...common(given),
      fontFamily: given.fontFamily ?? given.font,
      fontSize: given.fontSize ?? given.textSize ?? 18,
      fontWeight: given.fontWeight ?? 'normal',
      fontStyle: given.fontStyle ?? 'normal',
      lineHeight: given.lineHeight ?? 1,
      charSpacing: (given.letterSpacing ?? 0) * 100,
      textAlign: given.textAlign ?? 'left',
      fill: inkOf(given.fill) ?? given.currentColor ?? '#000000',
      stroke: inkOf(given.stroke) ?? null,
      direction: given.direction ?? 'ltr',
      splitByGrapheme: given.splitByGrapheme ?? false,
      textBackgroundColor: given.textBackgroundColor ?? '',
      underline: decoration.includes('underline'),
      linethrough: decoration.includes('line-through'),
      overline: decoration.includes('overline'),
    }
    if (given.styles) options.styles = fabric.util.stylesFromArray(given.styles, given.text)
    const pattern = given.fill?.type === 'pattern' ? given.fill.source : given.pattern
    if (pattern) {
      options.fill = new fabric.Pattern({
        source: await imageOf(sources[pattern] ?? ''),
        repeat: 'repeat',
      })
    }
    const text = given.text ?? element.source
    if (given.textBox || element.type === 'textbox')
      return new fabric.Textbox(text, { ...options, width: given.width })
    if (given.curved || element.type === 'curved-text') {
      const r = given.curveRadius ?? 80
      const end = given.curveReverse ? 2 * r : -2 * r
      options.path = new fabric.Path(`M 0 0 A ${r} ${r} 0 0 1 0 ${end} A ${r} ${r} 0 0 1 0 0`, {
        visible: false,
      })
      options.pathAlign = 'center'
      options.pathSide = given.curveReverse ? 'right' : 'left'
    }
    if (element.type === 'neon-text') return neon(text, options)
    return new fabric.IText(text, options)
  }

  /** Four white texts, each with a glow. */
  const neon = (text: string, options: Properties) => {
    const { fill, fontSize, fontFamily, lineHeight, charSpacing, textAlign } = options
    const glows = [
      ['#fff', 5],
      ['#fff', 10],
      [fill, 40],
      [fill, 80],
    ].map(([color, blur]) => {
      const own = {
        fontSize,
        fontFamily,
        lineHeight,
        charSpacing,
        textAlign,
        originX: 'center',
        originY: 'center',
      }
      return new fabric.IText(text, { ...own, fill: '#fff', shadow: new fabric.Shadow({ color, blur }) })
    })
    return new fabric.Group(glows, { ...options, shadow: null })
  }

  const filtersOf = (given: Properties): Properties[] => {
    const { filters } = fabric.Image
    const filter = given.filter
    const made: Properties[] = []
    if (Array.isArray(filter)) made.push(new filters.ColorMatrix({ matrix: filter }))
    else if (filter?.type === 'brightness')
      made.push(new filters.Brightness({ brightness: filter.brightness }))
    else if (filter?.type === 'contrast') made.push(new filters.Contrast({ contrast: filter.contrast }))
    else if (filter?.type) {
      const { type, ...how } = filter
      made.push(new filters[type](how))
    } else if (filter === 'removewhite')
      made.push(new filters.RemoveColor({ color: '#ffffff', distance: 0.02 }))
    else if (filter) {
      const names: Record<string, string> = {
        grayscale: 'Grayscale',
        sepia: 'Sepia',
        kodachrome: 'Kodachrome',
        black_white: 'BlackWhite',
        vintage: 'Vintage',
        technicolor: 'Technicolor',
      }
      made.push(new filters[names[filter] ?? '']())
    }
    if (typeof given.fill === 'string' && given.colorMode !== 'none') {
      made.push(new filters.BlendColor({ color: given.fill, mode: given.colorMode ?? 'tint', alpha: 1 }))
    }
    return made
  }

  const pictureObject = async (element: Properties) => {
    const given = element.parameters
    const url = sources[element.source] ?? element.source
    if (url.startsWith('data:image/svg')) {
      const svg = decodeURIComponent(url.slice(url.indexOf(',') + 1))
      const object: Properties = await new Promise((resolve) =>
        fabric.loadSVGFromString(svg, (objects: Properties[], options: Properties) =>
          resolve(fabric.util.groupSVGElements(objects, options)),
        ),
      )
      const parts: Properties[] = object.type === 'group' ? object.getObjects() : [object]
      for (const [index, fill] of (given.svgFill ?? []).entries())
        if (fill && parts[index]) parts[index].set('fill', fill)
      // Its shapes keep their own lines.
      const own = Object.entries(common(given)).filter(([name]) => !/^stroke|^paintFirst/.test(name))
      object.set(Object.fromEntries(own))
      return object
    }
    const object = new fabric.Image(await imageOf(url), common(given))
    const filters = filtersOf(given)
    if (filters.length > 0) {
      object.filters = filters
      object.applyFilters()
    }
    if (given.cropX || given.cropY) {
      object.set({
        cropX: given.cropX ?? 0,
        cropY: given.cropY ?? 0,
        width: given.width,
        height: given.height,
      })
    }
    return object
  }

  const objectOf = (element: Properties): Promise<Properties> =>
    element.type.includes('text') ? textObject(element) : pictureObject(element)

  const clipOf = async (given: Properties) => {
    if ((given.boundingBoxMode ?? 'clipping') !== 'clipping') return undefined
    const rect = (x: number, y: number, w: number, h: number, radius = 0) =>
      new fabric.Rect({
        left: x,
        top: y,
        width: w,
        height: h,
        rx: radius,
        ry: radius,
        strokeWidth: 0,
        absolutePositioned: true,
      })
    if (given.usePrintingBoxAsBounding) {
      return rect(printingBox.left, printingBox.top, printingBox.width, printingBox.height)
    }
    const { boundingBox: box } = given
    if (!box) return undefined
    const printArea = job.areas[box]
    if (printArea) return rect(printArea.left, printArea.top, printArea.width, printArea.height)
    if (typeof box === 'object') return rect(box.x, box.y, box.width, box.height, box.borderRadius)
    const other = job.elements.find((each: Properties) => each.title === box)
    const object: Properties = await objectOf(other)
    const isDrawing = (sources[(other as Properties).source] ?? '').startsWith('data:image/svg')
    if (isDrawing) {
      object.absolutePositioned = true
      return object
    }
    object.setCoords()
    const { left, top, width: w, height: h } = object.getBoundingRect(true, true)
    return rect(left, top, w, h)
  }

  // Elements are inserted one by one, at their place where they have one; topped ones come last.
  const below: Properties[] = []
  const topped: Properties[] = []
  for (const element of job.elements as Properties[]) {
    const { z = -1, topped: isTopped } = element.parameters
    if (isTopped) topped.push(element)
    else if (z >= 0) below.splice(z, 0, element)
    else below.push(element)
  }
  for (const element of [...below, ...topped]) {
    if (element.parameters.excludeFromExport || element.parameters.uploadZone) continue
    const object: Properties = await objectOf(element)
    const clip = await clipOf(element.parameters)
    if (clip) object.clipPath = clip
    else if (element.parameters.clipPath)
      object.clipPath = await new Promise((resolve) =>
        fabric.util.enlivenObjects([element.parameters.clipPath], ([path]: Properties[]) => resolve(path)),
      )
    canvas.add(object)
  }
  if (job.mask) {
    const { url, ...place } = job.mask
    const mask = await pictureObject({
      source: url,
      parameters: { ...place, originX: 'left', originY: 'top' },
    })
    mask.absolutePositioned = true
    canvas.clipPath = mask
  }
  canvas.renderAll()
  if (job.format === 'svg-pdf') return canvas.toSVG()
  // As in the designer, the ground is not part of the canvas, and nothing is blended with it.
  const context = canvas.getContext()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  return canvas.lowerCanvasEl.toDataURL(`image/${job.format ?? 'png'}`, 0.95)
}
