// Emscripten library: hands the GL binding the context that web/canvas-host.js made, so that no
// canvas is ever looked up by id or selector (several widgets, shadow roots).
mergeInto(LibraryManager.library, {
  kvseats_take_context__deps: ['$GL'],
  kvseats_take_context: function() {
    // Extensions are not needed, so none is switched on.
    var attributes = {majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: 0};
    GL.makeContextCurrent(GL.registerContext(Module['canvasContext'], attributes));
  },

  kvseats_drop_context__deps: ['$GL'],
  kvseats_drop_context: function() {
    if (GL.currentContext) GL.deleteContext(GL.currentContext.handle);
    Module['canvasContext'] = null;
  },
});
