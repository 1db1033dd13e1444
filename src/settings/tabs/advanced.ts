// Settings tab `advanced`: layout, behaviour and troubleshooting.
import { amount, checkbox, multiselect, number, onScreen, radio, section, tab, text } from '../kinds.ts'

export const advanced = tab('advanced', [
  section('layout', 'Layout', [
    number('svc_maxCanvasHeight', 'Max. Canvas Height', 100, [1, 100]).says(
      "Largest height of the canvas in percent of the window's height.",
    ),
    text('svc_canvasHeight', 'Canvas Wrapper Height', 'auto', { format: 'css-length' }).says(
      'Height of the area around the canvas: "auto" or a CSS length.',
    ),
    checkbox('svc_canvas_touch_scrolling', 'Canvas Touch Scrolling').says(
      'Lets touch gestures on the canvas scroll the page.',
    ),
    checkbox('svc_responsive', 'Responsive', true).says('Scales the canvas with the width of the window.'),
    checkbox('svc_disable_on_smartphones', 'Hide On Smartphones').says('Hides the designer on smartphones.'),
    checkbox('svc_disable_on_tablets', 'Hide On Tablets').says('Hides the designer on tablets.'),
    radio('svc_corner_controls_style', 'Corner Controls Style', 'advanced', {
      choices: ['advanced', 'basic'],
    }).says('Style of the handles at the corners of a selected element.'),
    number('svc_responsive_breakpoint_small', 'Small', 768, onScreen).says(
      'Width in pixels below which the layout for small screens is used.',
    ),
    number('svc_responsive_breakpoint_medium', 'Medium', 1024, onScreen).says(
      'Width in pixels below which the layout for medium screens is used.',
    ),
  ]),
  section('misc', 'Miscellaneous', [
    radio('svc_customization_required', 'Customization Required', 'none', {
      choices: ['none', 'any', 'all'],
    }).says('Whether no view, any view or all views must be customized before ordering.'),
    radio('svc_mobileGesturesBehaviour', 'Mobile Gestures Behaviour', 'none', {
      choices: ['none', 'pinchPanCanvas', 'pinchImageScale'],
    }).says('What pinching and panning do on touch screens.'),
    multiselect('svc_textLinkGroupProps', 'Text Link Group Properties', [], { format: 'word' }).says(
      'Properties, in addition to the text, that texts of one link group share.',
    ),
    checkbox('svc_smartGuides', 'Smart Guides').says(
      'Shows guides that align an element with others while it is moved.',
    ),
    checkbox('svc_canvas_per_pixel_detection', 'Per-Pixel Detection').says(
      'Selects an element only where its picture is not transparent.',
    ),
    checkbox('svc_fitImagesInCanvas', 'Fit Images In Canvas', true).says(
      'Scales images that are larger than the canvas so that they fit into it.',
    ),
    checkbox('svc_uploadZonesTopped', 'Upload zones always on top', true).says(
      'Keeps upload zones in front of all other elements.',
    ),
    checkbox('svc_unsaved_customizations_alert', 'Unsaved Customizations Alert').says(
      'Warns customers who leave the page with changes that were not saved.',
    ),
    checkbox('svc_hide_dialog_on_add', 'Hide Dialog On Add', true).says(
      'Closes the dialog after an element was added from it.',
    ),
    checkbox('svc_inCanvasTextEditing', 'In Canvas Text Editing', true).says(
      'Lets customers edit a text directly on the canvas.',
    ),
    checkbox('svc_openTextInputOnSelect', 'Open Text Input On Select').says(
      'Opens the input of a text as soon as it is selected.',
    ),
    checkbox('svc_replaceColorsInColorGroup', 'Replace Colors In Color Group').says(
      "Replaces the colors of a link group's elements by those of the element added to it.",
    ),
    checkbox('svc_imageSizeTooltip', 'Size Tooltip').says('Shows the size of a selected image in a tooltip.'),
    checkbox('svc_applyFillWhenReplacing', 'Apply Fill When Replacing', true).says(
      'Gives an image that replaces another the color of that one.',
    ),
    checkbox('svc_applySizeWhenReplacing', 'Apply Size When Replacing').says(
      'Gives an image that replaces another the size of that one.',
    ),
    checkbox('svc_autoFillUploadZones', 'Auto-Fill Upload Zones').says(
      'Puts uploaded images into the free upload zones.',
    ),
    checkbox('svc_dragDropImagesToUploadZones', 'Drag & Drop Images To Upload Zones').says(
      'Lets customers drag images from the list into an upload zone.',
    ),
    checkbox('svc_multiSelection', 'Multiple Elements Selection', true).says(
      'Lets customers select several elements at once.',
    ),
    number('svc_bounding_box_stroke_width', 'Bounding Box Stroke Width', 1, [0, 1000]).says(
      'Width in pixels of the line around a bounding box.',
    ),
    text('svc_highlightEditableObjects', 'Highlight Editable Objects', '', { format: 'color' }).says(
      'Hex color that frames elements which can be edited; empty for none.',
    ),
    number('svc_fabricjs_texture_size', 'FabricJS Texture Size', 4096, [1, 65_536]).says(
      'Largest texture in pixels for filters that run on the graphics card.',
    ),
    text('svc_shortcode_order_mail_addresses', 'Shortcode Order Mail Notification', '', {
      format: 'mail-addresses',
    }).says('Addresses that receive a mail for each shortcode order, separated by commas.'),
  ]),
  section('troubleshooting', 'Troubleshooting', [
    checkbox('svc_debug_mode', 'Debug Mode').says(
      "Loads the readable scripts and writes messages to the browser's console.",
    ),
    checkbox('svc_disable_help_context', 'Disable Help Context in Admin').says(
      "Leaves out the help on the administrator's pages.",
    ),
    text('svc_wc_product_image_css_selector', 'WooCommerce Product Image CSS Selector').says(
      "CSS selector of the product's picture in themes that name it differently.",
    ),
    number(
      'svc_disable_products_loading_count',
      'Admin: Disable Products Loading in Product Builder',
      200,
      amount,
    ).says('Number of products from which the product builder no longer loads them all.'),
  ]),
])
