document.title='caesura studio'
