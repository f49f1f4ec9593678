"""HTTP and WebSocket endpoints of the API."""
