// The layout of a shop that has not created one.

/** A top bar with the usual actions, the modules next to it, and a toolbar that appears next to the selected element. */
export const defaultLayout = {
  name: 'Default',
  data: {
    name: 'Default',
    plugin_options: {
      stageWidth: 1200,
      stageHeight: 800,
      mainBarModules: ['products', 'images', 'text', 'designs', 'manage-layers'],
      actions: {
        left: ['manage-layers', 'info'],
        center: ['undo', 'redo'],
        right: ['preview-lightbox', 'zoom', 'save'],
      },
      toolbarPlacement: 'smart',
    },
    container_classes: 'svc-topbar svc-shadow-1',
    css_colors: { primary: '#000000', secondary: '#27ae60' },
    custom_css: '',
    toolbar_exclude_tools: [],
  },
}
