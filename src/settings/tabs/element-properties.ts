// Settings tab `element-properties`: properties that new elements get.
import {
  amount,
  checkbox,
  multiselect,
  number,
  radio,
  section,
  select,
  setting,
  tab,
  text,
} from '../kinds.ts'
import type { SettingFacts } from '../setting.ts'

/** Settings of elements that customers add: where they are placed and what may be done with them. @param a the kind with its article */
const added = (prefix: string, kind: 'image' | 'text', a: string): SettingFacts[] => [
  checkbox(`${prefix}autoCenter`, 'Auto-Center', true).says(
    `Puts a newly added ${kind} into the center of its bounding box or canvas.`,
  ),
  number(`${prefix}x`, 'Left', 0, [-1_000_000, 1_000_000]).says(
    `Distance in pixels from the left at which ${a} is added; not used with auto-center.`,
  ),
  number(`${prefix}y`, 'Top', 0, [-1_000_000, 1_000_000]).says(
    `Distance in pixels from the top at which ${a} is added; not used with auto-center.`,
  ),
  number(`${prefix}z`, 'Layer Depth', -1, [-1, 1_000_000]).says(
    `Layer that ${a} is added to, counted from 0 at the back; -1 is the front.`,
  ),
  text(`${prefix}replace`, 'Replace').says(
    `Name of a group in which a newly added ${kind} replaces the one before it.`,
  ),
  checkbox(`${prefix}replaceInAllViews`, 'Replace In All Views').says(
    `Replaces ${kind}s of the same group in all views instead of the current one.`,
  ),
  checkbox(`${prefix}draggable`, 'Draggable', true).says(`Lets customers move ${kind}s.`),
  checkbox(`${prefix}rotatable`, 'Rotatable', true).says(`Lets customers rotate ${kind}s.`),
  checkbox(`${prefix}resizable`, 'Resizable', true).says(`Lets customers resize ${kind}s.`),
  checkbox(`${prefix}zChangeable`, 'Layer Depth Changeable', true).says(
    `Lets customers move ${kind}s to another layer.`,
  ),
  checkbox(`${prefix}autoSelect`, 'Auto-Select').says(`Selects ${a} as soon as it was added.`),
  checkbox(`${prefix}topped`, 'Stay On Top').says(`Keeps ${kind}s in front of all other elements.`),
  checkbox(`${prefix}uniScalingUnlockable`, 'Allow Unproportional Scaling').says(
    `Lets customers change width and height of ${a} independently.`,
  ),
]

/** Settings of the box that such elements are confined to. */
const boundingBox = (prefix: string, kind: 'image' | 'text'): SettingFacts[] => [
  checkbox(`${prefix}bounding_box_control`, 'Element as bounding box').says(
    'Takes another element as bounding box instead of a rectangle of own values.',
  ),
  text(`${prefix}bounding_box_by_other`, 'Bounding Box Target').says(
    `Title of the element that serves as bounding box of ${kind}s.`,
  ),
  number(`${prefix}bounding_box_x`, 'Left Position', null, [-1_000_000, 1_000_000]).says(
    `Left edge of the ${kind}s' bounding box in pixels.`,
  ),
  number(`${prefix}bounding_box_y`, 'Top Position', null, [-1_000_000, 1_000_000]).says(
    `Top edge of the ${kind}s' bounding box in pixels.`,
  ),
  number(`${prefix}bounding_box_width`, 'Width', null, amount).says(
    `Width of the ${kind}s' bounding box in pixels.`,
  ),
  number(`${prefix}bounding_box_height`, 'Height', null, amount).says(
    `Height of the ${kind}s' bounding box in pixels.`,
  ),
]

/** @param a the kind with its article */
const boxMode = (prefix: string, a: string): SettingFacts =>
  select(`${prefix}boundingBoxMode`, 'Mode', 'clipping', {
    choices: ['inside', 'clipping', 'limitModify', 'none'],
  }).says(
    `What the bounding box does with ${a} that reaches over it: keep it inside, clip it, limit its changes, or nothing.`,
  )

const price = (prefix: string, kind: 'image' | 'text'): SettingFacts =>
  text(`${prefix}price`, 'Price', '0', { format: 'price' }).says(`Price that an added ${kind} adds.`)

const colors = (id: string, label: string) =>
  setting('multi-color-input', id, label, '', { format: 'colors' })

const [images, texts] = ['svc_designs_parameter_', 'svc_custom_texts_parameter_']

export const elementProperties = tab('element-properties', [
  section('images', 'Custom Images & Designs', [
    ...added(images, 'image', 'an image'),
    checkbox('svc_designs_parameter_copyable', 'Duplicatable').says('Lets customers duplicate images.'),
    ...boundingBox(images, 'image'),
    number('svc_designs_parameter_bounding_box_borderRadius', 'Border Radius', 0, amount).says(
      "Radius in pixels of the bounding box's corners.",
    ),
    boxMode(images, 'an image'),
    select('svc_designs_parameter_scaleMode', 'Scale Mode', 'fit', { choices: ['fit', 'cover'] }).says(
      'How an added image is scaled into its area: so that it fits inside, or so that it covers it.',
    ),
    price(images, 'image'),
    number('svc_designs_parameter_minScaleLimit', 'Minimum Scale Limit', 0.01, [0, 1000]).says(
      'Smallest scale that an image can be reduced to, 1 being its own size.',
    ),
    multiselect('svc_designs_parameter_patterns', 'Patterns', [], { format: 'address' }).says(
      'Addresses of the patterns that SVG images can be filled with.',
    ),
  ]),
  section('custom-images', 'Custom Images', [
    number('svc_uploaded_designs_parameter_minW', 'Minimum Width', 100, amount).says(
      'Smallest width in pixels of an image that customers upload.',
    ),
    number('svc_uploaded_designs_parameter_minH', 'Minimum Height', 100, amount).says(
      'Smallest height in pixels of an image that customers upload.',
    ),
    number('svc_uploaded_designs_parameter_maxW', 'Maximum Width', 10000, amount).says(
      'Largest width in pixels of an image that customers upload.',
    ),
    number('svc_uploaded_designs_parameter_maxH', 'Maximum Height', 10000, amount).says(
      'Largest height in pixels of an image that customers upload.',
    ),
    number('svc_uploaded_designs_parameter_maxSize', 'Maximum Image Size (MB)', 10, [0.001, 256]).says(
      'Largest uploaded file in megabytes, where the master print profile names none.',
    ),
    number('svc_uploaded_designs_parameter_minDPI', 'Minimum DPI', 72, [0, 2400]).says(
      'Lowest resolution of an uploaded JPEG in dots per inch.',
    ),
    text('svc_uploaded_designs_parameter_resizeToW', 'Scale To Width', '0', { format: 'amount' }).says(
      'Width in pixels, or percentage of the canvas, that an uploaded image is scaled to; 0 leaves its size.',
    ),
    text('svc_uploaded_designs_parameter_resizeToH', 'Scale To Height', '0', { format: 'amount' }).says(
      'Height in pixels, or percentage of the canvas, that an uploaded image is scaled to; 0 leaves its size.',
    ),
    number('svc_uploaded_designs_parameter_minScaleLimit', 'Minimum Scale Limit', 0.01, [0, 1000]).says(
      'Smallest scale that an uploaded image can be reduced to, 1 being its own size.',
    ),
    checkbox('svc_uploaded_designs_parameter_advancedEditing', 'Advanced Editing').says(
      'Offers cropping, filters and corrections for uploaded images.',
    ),
    select('svc_imagick_filter', 'ImageMagick Filter', '', { format: 'word' }).says(
      'Filter that ImageMagick applies to uploaded images on the server; empty for none.',
    ),
  ]),
  section('custom-texts', 'Custom Texts', [
    ...added(texts, 'text', 'a text'),
    number('svc_custom_texts_parameter_textSize', 'Font Size', 18, [1, 100_000]).says(
      'Font size in pixels of a newly added text.',
    ),
    number('svc_custom_texts_parameter_minFontSize', 'Minimum Font Size', 1, [1, 100_000]).says(
      'Smallest font size in pixels that customers can choose.',
    ),
    number('svc_custom_texts_parameter_maxFontSize', 'Maximum Font Size', 1000, [1, 100_000]).says(
      'Largest font size in pixels that customers can choose.',
    ),
    number('svc_custom_texts_parameter_widthFontSize', 'Font Size To Width', 0, amount).says(
      'Width in pixels that a text is fitted to by changing its font size; 0 for none.',
    ),
    select('svc_font', 'Font Family').says(
      'Font family of a newly added text; empty for the first one offered.',
    ),
    number('svc_padding_controls', 'Control Padding', 10, [0, 10_000]).says(
      'Distance in pixels between an element and its control handles.',
    ),
    radio('svc_custom_texts_parameter_textAlign', 'Alignment', 'left', {
      choices: ['left', 'center', 'right'],
    }).says('Alignment of a newly added text: left, center or right.'),
    number('svc_custom_texts_parameter_maxLength', 'Maximum Characters', 0, amount).says(
      'Most characters that a text may have; 0 for any number.',
    ),
    number('svc_custom_texts_parameter_maxLines', 'Maximum Lines', 0, amount).says(
      'Most lines that a text may have; 0 for any number.',
    ),
    text('svc_custom_texts_parameter_textLinkGroup', 'Text Link Group').says(
      'Name of a group whose texts all change when one of them does.',
    ),
    checkbox('svc_custom_texts_parameter_curvable', 'Curvable', true).says(
      'Lets customers bend texts into a curve.',
    ),
    checkbox('svc_custom_texts_parameter_curveReverse', 'Reverse').says(
      'Bends curved texts downwards instead of upwards.',
    ),
    number('svc_custom_texts_parameter_curveSpacing', 'Spacing', 10, [-10_000, 10_000]).says(
      'Distance between the letters of a curved text.',
    ),
    number('svc_custom_texts_parameter_curveRadius', 'Radius', 80, amount).says(
      'Radius in pixels of a curved text.',
    ),
    number('svc_custom_texts_parameter_maxCurveRadius', 'Max. Radius', 400, amount).says(
      'Largest radius in pixels that customers can choose for a curved text.',
    ),
    ...boundingBox(texts, 'text'),
    boxMode(texts, 'a text'),
    price(texts, 'text'),
  ]),
  section('coloring', 'Coloring', [
    colors('svc_designs_parameter_colors', 'Colors').says(
      'Colors that customers can give to designs: hex values separated by commas, or one for a color picker.',
    ),
    text('svc_designs_parameter_colorLinkGroup', 'Color Link Group').says(
      'Name of a group whose designs all take the color that one of them is given.',
    ),
    colors('svc_all_image_colors', 'Colors').says(
      'Colors that customers can give to all images: hex values separated by commas.',
    ),
    text('svc_all_image_colorLinkGroup', 'Color Link Group').says(
      'Name of a group whose images all take the color that one of them is given.',
    ),
    colors('svc_custom_texts_parameter_colors', 'Colors').says(
      'Colors that customers can give to their own texts: hex values separated by commas, or one for a color picker.',
    ),
    text('svc_custom_texts_parameter_fill', 'Default Color', '', { format: 'color' }).says(
      'Hex color of a newly added text.',
    ),
    text('svc_custom_texts_parameter_colorLinkGroup', 'Color Link Group').says(
      'Name of a group whose texts all take the color that one of them is given.',
    ),
    colors('svc_all_text_colors', 'Colors').says(
      'Colors that customers can give to all texts: hex values separated by commas.',
    ),
    colors('svc_all_text_strokeColors', 'Stroke Colors').says(
      'Colors that customers can give to the outline of texts: hex values separated by commas.',
    ),
    multiselect('svc_custom_texts_parameter_patterns', 'Patterns', [], { format: 'address' }).says(
      'Addresses of the patterns that texts can be filled with.',
    ),
  ]),
  section('general', 'General', [
    radio('svc_common_parameter_originX', 'Origin-X Point', 'center', {
      choices: ['left', 'center', 'right'],
    }).says('Point of an element that its distance from the left is measured to.'),
    radio('svc_common_parameter_originY', 'Origin-Y Point', 'center', {
      choices: ['top', 'center', 'bottom'],
    }).says('Point of an element that its distance from the top is measured to.'),
  ]),
])
