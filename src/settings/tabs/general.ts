// Settings tab `general`: display, modules, actions, sharing and AI services.
import {
  amount,
  checkbox,
  multiselect,
  number,
  onScreen,
  password,
  radio,
  section,
  select,
  setting,
  tab,
  text,
} from '../kinds.ts'

export const general = tab('general', [
  section('display', 'Display', [
    select('svc_product_designer_ui_layout', 'Main User Interface', 'default').says(
      'Name of the user interface layout that the designer opens with.',
    ),
    select('svc_product_designer_visibility', 'Open Product Designer in...', 'page', {
      choices: ['page', 'lightbox', 'page-customize'],
    }).says(
      'Where the designer appears: in the product page, in a lightbox, or on the page after a click on the button.',
    ),
    select('svc_main_bar_position', 'Main Bar Placement', 'default', {
      choices: ['default', 'shortcode', 'after_product_title', 'after_excerpt'],
    }).says('Where the main bar stands on the product page.'),
    text('svc_start_customizing_css_class', 'Button CSS Classes', 'svc-secondary-btn').says(
      'CSS classes that the button which starts the customization carries, separated by spaces.',
    ),
    checkbox('svc_multi_languages', 'Multi-Languages').says(
      'Lets the texts of the designer be translated into several languages.',
    ),
    multiselect('svc_languages', 'Languages', ['en_US'], { format: 'locale' }).says(
      'Locales that the designer is offered in.',
    ),
    select('svc_unitOfMeasurement', 'Unit of Measurement', 'mm', { choices: ['mm', 'cm', 'in'] }).says(
      'Unit in which sizes are shown to customers and administrators.',
    ),
  ]),
  section('modules', 'Modules', [
    multiselect('svc_allowedImageTypes', 'Allowed File Types', ['jpeg', 'png', 'svg', 'pdf'], {
      format: 'word',
    }).says('File types that customers may upload.'),
    checkbox('svc_upload_designs_php_logged_in', 'Login Required').says(
      'Only customers who are logged in may upload images.',
    ),
    checkbox('svc_uploadAgreementModal', 'Confirm Image Rights').says(
      'Asks customers to confirm that they hold the rights to an image before it is uploaded.',
    ),
    checkbox('svc_image_quality_rating', 'Image Quality Rating').says(
      'Rates the resolution of uploaded images and shows the result to the customer.',
    ),
    number('svc_iqr_low_width', 'Image Quality Low Width', null, amount).says(
      'Width in pixels from which an image counts as of low quality, below it as unusable.',
    ),
    number('svc_iqr_low_height', 'Image Quality Low Height', null, amount).says(
      'Height in pixels from which an image counts as of low quality, below it as unusable.',
    ),
    number('svc_iqr_mid_width', 'Image Quality Mid Width', null, amount).says(
      'Width in pixels from which an image counts as of medium quality.',
    ),
    number('svc_iqr_mid_height', 'Image Quality Mid Height', null, amount).says(
      'Height in pixels from which an image counts as of medium quality.',
    ),
    number('svc_iqr_high_width', 'Image Quality High Width', null, amount).says(
      'Width in pixels from which an image counts as of high quality.',
    ),
    number('svc_iqr_high_height', 'Image Quality High Height', null, amount).says(
      'Height in pixels from which an image counts as of high quality.',
    ),
    text('svc_facebook_app_id', 'App ID').says(
      'Id of the Facebook app through which customers take over their photos.',
    ),
    text('svc_instagram_client_id', 'App ID').says(
      'Id of the Instagram app through which customers take over their photos.',
    ),
    password('svc_instagram_secret_id', 'App Secret').says(
      'Secret of the Instagram app; never returned by the API.',
    ),
    text('svc_instagram_redirect_uri', 'Redirect URI', '', { format: 'address' }).says(
      'Address that Instagram sends customers back to after they logged in.',
    ),
    text('svc_pixabayApiKey', 'API Key', '', { secret: true }).says(
      'Key for the picture library Pixabay; never returned by the API.',
    ),
    checkbox('svc_pixabayHighResImages', 'High-Res Images').says(
      'Takes the high resolution of Pixabay images, which needs a key with full access.',
    ),
    select('svc_pixabayLang', 'Language', 'en', { format: 'word' }).says(
      'Language that searches on Pixabay are made in.',
    ),
    checkbox('svc_disableTextEmojis', 'Disable Text Emojis').says(
      'Removes emojis from the texts that customers enter.',
    ),
    checkbox('svc_customTextAsTextbox', 'Custom Text as Textbox').says(
      'Adds custom texts as text boxes, whose width the customer sets and whose lines wrap.',
    ),
    checkbox('svc_replace_initial_elements', 'Replace Initial Elements').says(
      "Keeps the customer's own elements and replaces only the initial ones when the product is changed.",
    ),
    checkbox('svc_swapProductConfirmation', 'Swap Product Confirmation').says(
      'Asks the customer before another product replaces the current one.',
    ),
    text('svc_namesNumbersDropdown', 'Dropdown Values').says(
      'Values of the dropdown in the names-and-numbers module, separated by vertical bars.',
    ),
    number('svc_namesNumbersEntryPrice', 'Entry Price', 0, amount).says(
      'Price that each entry of the names-and-numbers module adds.',
    ),
    multiselect('svc_design_categories', 'Design Categories').says(
      'Design categories that customers choose from; all when none is selected.',
    ),
  ]),
  section('actions', 'Actions', [
    setting('upload', 'svc_watermark_image', 'Watermark Image', '', { format: 'address' }).says(
      'Address of the picture that is laid over designs which a customer downloads or prints.',
    ),
    text('svc_downloadFilename', 'Filename', 'Product').says(
      'Name, without extension, of the file that a customer downloads.',
    ),
    checkbox('svc_accountProductStorage', 'Account Product Storage').says(
      'Stores the products that customers save in their accounts instead of in the browser.',
    ),
    checkbox('svc_autoOpenInfo', 'Auto-Display').says(
      "Opens the product's information as soon as the designer has loaded.",
    ),
    number('svc_zoom_step', 'Step', 0.2, [0.001, 1000]).says('Factor by which one click zooms in or out.'),
    number('svc_max_zoom', 'Maximum', 3, [0.001, 1000]).says('Largest zoom factor of the canvas.'),
    number('svc_qr_code_prop_resizeToW', 'Scale To Width/Height', 0, onScreen).says(
      'Width and height in pixels that a new QR code is scaled to; 0 leaves its size.',
    ),
    number('svc_qr_code_prop_price', 'Price', 0, amount).says('Price that a QR code adds.'),
    checkbox('svc_qr_code_prop_resizable', 'Resizable', true).says('Lets customers resize a QR code.'),
    checkbox('svc_qr_code_prop_draggable', 'Draggable', true).says('Lets customers move a QR code.'),
    radio('svc_rulerUnit', 'Unit of measurement', 'mm', { choices: ['px', 'mm', 'cm'] }).says(
      'Unit of the scale on the ruler.',
    ),
    radio('svc_rulerPosition', 'Position', 'canvas', { choices: ['canvas', 'pb'] }).says(
      'What the ruler measures: the whole canvas or the printing box.',
    ),
    checkbox('svc_rulerFixed', 'Fixed').says('Shows the ruler all the time, without a button to switch it.'),
  ]),
  section('social-share', 'Social Share', [
    checkbox('svc_sharing', 'Enable Share Button').says(
      'Shows a button by which customers share their designs.',
    ),
    checkbox('svc_sharing_og_image', 'Add Open graph image meta').says(
      'Adds an Open Graph tag with the picture of the design to the head of a shared page.',
    ),
    number('svc_sharing_cache_days', 'Cache Days', 5, [0, 36_500]).says(
      'Days after which the picture of a shared design is deleted.',
    ),
    multiselect('svc_sharing_social_networks', 'Social Networks', ['facebook', 'twitter', 'email']).says(
      'Networks that a design can be shared on.',
    ),
  ]),
  section('ai-services', 'AI Services', [
    checkbox('svc_ai_removeBG', 'Remove Background').says(
      'Offers to remove the background of an image by the AI service.',
    ),
    checkbox('svc_ai_superRes', 'Upscale Image').says(
      'Offers to enlarge the resolution of an image by the AI service.',
    ),
    checkbox('svc_ai_text2Img', 'Text to Images').says(
      'Offers to make images out of a description by the AI service.',
    ),
  ]),
])
